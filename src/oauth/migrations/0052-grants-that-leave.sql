-- Grants of clients that acted for themselves end with their only token, and leave soon after it: one index for those, one for the
-- grants of users.
drop index {schema}.oauth_grants_expiry;
create index oauth_grants_expiry on {schema}.oauth_grants (expires_at) where user_id is not null;
create index oauth_grants_own on {schema}.oauth_grants (expires_at, id) where user_id is null;
