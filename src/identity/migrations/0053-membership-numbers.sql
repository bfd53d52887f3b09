-- Memberships and what users allow in them are numbered in one order, whatever any clock says: what was allowed before a
-- membership began does not reach its organization. Memberships from before are 0, and so is what was allowed before.
create sequence {schema}.membership_numbers;
alter table {schema}.memberships add column number bigint not null default 0;
alter table {schema}.memberships alter column number set default nextval('{schema}.membership_numbers');
