-- Secrets end with their client.
grant select, insert, update on {schema}.oauth_client_secrets to {role};
grant select, insert, update, delete on
  {schema}.oauth_clients, {schema}.oauth_client_registrations, {schema}.oauth_registration_tokens,
  {schema}.oauth_grants, {schema}.oauth_tokens, {schema}.oauth_rotations, {schema}.oauth_codes, {schema}.oauth_consents,
  {schema}.oauth_signing_keys, {schema}.oauth_rsa_signing_keys
  to {role};
