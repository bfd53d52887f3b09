-- The search of operators: the words of names, as src/storage/word-search.ts writes them, and whole redirect URIs.
create index oauth_clients_words on {schema}.oauth_clients using gin (
  to_tsvector('pg_catalog.simple', translate(name, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', rpad('', 32)))
);
create index oauth_clients_redirect_uris on {schema}.oauth_clients using gin (redirect_uris);
