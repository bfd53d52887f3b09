-- Keys that id_tokens are signed with. Which one signs and which ones are published follows from their times.
create table {schema}.oauth_signing_keys (
  id text collate "C" primary key,
  public_jwk jsonb not null,
  -- Never in the clear: see secret_key.
  sealed_private_jwk bytea not null,
  created_at timestamptz not null,
  -- From here on it signs, until the next one does.
  signs_from timestamptz not null
);
