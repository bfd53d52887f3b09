-- A suspended organization: its tokens are inactive there, and nothing is sent to its webhook endpoints.
alter table {schema}.organizations add column suspended_at timestamptz;
-- Few, and asked for at every look-up of a token.
create index organizations_suspended on {schema}.organizations (id) where suspended_at is not null;
