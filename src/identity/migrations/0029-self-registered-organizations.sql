-- Made by a client that registered itself, which anyone can: neither an operator nor the quickstart knows of it.
alter table {schema}.organizations add column self_registered boolean not null default false;

update {schema}.organizations o set self_registered = true
from {schema}.oauth_clients c, {schema}.oauth_client_registrations r
where r.client_id = c.id and c.organization_id = o.id;
