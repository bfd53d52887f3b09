-- Keys that id_tokens are signed with by RS256. Not in oauth_signing_keys: a node of an earlier release would sign with them.
create table {schema}.oauth_rsa_signing_keys (
  id text collate "C" primary key,
  public_jwk jsonb not null,
  -- Never in the clear: see secret_key.
  sealed_private_jwk bytea not null,
  created_at timestamptz not null,
  -- From here on it signs, until the next one does.
  signs_from timestamptz not null
);

-- How the id_tokens of a client are signed.
alter table {schema}.oauth_clients add column id_token_algorithm text not null default 'ES256';
