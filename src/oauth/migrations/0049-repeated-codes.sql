-- The answer to an authorization code is kept in oauth_rotations too, sealed under the code. It is repeated until this instant,
-- and only while none of its tokens was used: the first use clears the instant. Null for all other grants.
alter table {schema}.oauth_grants add column repeatable_until timestamptz;
