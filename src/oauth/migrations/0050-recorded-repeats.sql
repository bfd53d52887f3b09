-- Whether a repeat of a refresh comes from where the refresh came from: a digest of that address under the refresh token.
alter table {schema}.oauth_rotations add column origin_digest bytea;
alter table {schema}.oauth_rotations add column repeats integer not null default 0;
