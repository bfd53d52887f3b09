-- Users are erased, and operator keys revoked: their rows stay.
grant select, insert, update on {schema}.users, {schema}.operator_keys to {role};
grant select, insert, update, delete on
  {schema}.organizations, {schema}.memberships, {schema}.sign_in_sessions, {schema}.operator_sessions to {role};
grant select, insert, update (digest), delete on {schema}.password_links to {role};
grant usage on sequence {schema}.membership_numbers to {role};
