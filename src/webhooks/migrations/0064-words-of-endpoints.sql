-- The search of operators: the words of addresses, as src/storage/word-search.ts writes them.
create index webhook_endpoints_words on {schema}.webhook_endpoints using gin (
  to_tsvector('pg_catalog.simple', translate(url, '!"#$%&''()*+,-./:;<=>?@[\]^_`{|}~', rpad('', 32)))
);
