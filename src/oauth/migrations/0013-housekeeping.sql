-- Tokens leave by time, except refresh tokens that were used: those stay with their grant, so that whoever uses one
-- again is noticed. Without them in it, this index begins with what can leave.
drop index {schema}.oauth_tokens_expiry;
create index oauth_tokens_leaving on {schema}.oauth_tokens (expires_at) where used_at is null;

-- Dead grants are found by when they died.
create index oauth_grants_expiry on {schema}.oauth_grants (expires_at);
create index oauth_grants_revoked on {schema}.oauth_grants (revoked_at) where revoked_at is not null;
create index oauth_clients_deleted on {schema}.oauth_clients (deleted_at) where deleted_at is not null;

-- A grant that leaves is taken out of the code that it came from.
create index oauth_codes_grant on {schema}.oauth_codes (grant_id) where grant_id is not null;
create index oauth_codes_client on {schema}.oauth_codes (client_id);

-- Which grants reach into an organization: asked when all of them are to end.
create index oauth_grants_organizations on {schema}.oauth_grants using gin (organization_ids);
