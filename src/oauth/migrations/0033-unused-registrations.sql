-- Registrations that nobody has used leave after a while. Looked at once, when they are old enough: those in use are marked.
alter table {schema}.oauth_client_registrations add column registered_at timestamptz;
alter table {schema}.oauth_client_registrations add column used_at timestamptz;

update {schema}.oauth_client_registrations r set registered_at = c.created_at
from {schema}.oauth_clients c where c.id = r.client_id;

alter table {schema}.oauth_client_registrations alter column registered_at set not null;
create index oauth_client_registrations_unused on {schema}.oauth_client_registrations (registered_at)
  where used_at is null;
