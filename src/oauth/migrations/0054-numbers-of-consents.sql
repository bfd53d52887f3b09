-- Drawn when the user chose the organizations. Memberships that began later do not count. Null: it was before that was noted.
alter table {schema}.oauth_consents add column number bigint;
alter table {schema}.oauth_consents alter column number set default nextval('{schema}.membership_numbers');
-- That of the consent a code was issued for, and of the code a grant was made of.
alter table {schema}.oauth_codes add column number bigint;
alter table {schema}.oauth_codes alter column number set default nextval('{schema}.membership_numbers');
alter table {schema}.oauth_grants add column number bigint;
alter table {schema}.oauth_grants alter column number set default nextval('{schema}.membership_numbers');
