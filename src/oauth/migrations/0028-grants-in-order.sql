-- A client's or a user's grants are read in the order of their ids, some at a time: sorted by the index, not each time anew.
drop index {schema}.oauth_grants_client;
create index oauth_grants_client on {schema}.oauth_grants (client_id, id);
drop index {schema}.oauth_grants_user;
create index oauth_grants_user on {schema}.oauth_grants (user_id, id);
