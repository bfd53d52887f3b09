-- The search of operators: the words of names and addresses, as src/storage/word-search.ts writes them.
create index organizations_words on {schema}.organizations using gin (
  to_tsvector('pg_catalog.simple', translate(name, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', rpad('', 32)))
);
create index users_words on {schema}.users using gin (
  to_tsvector('pg_catalog.simple', translate(name || ' ' || email, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', rpad('', 32)))
);
