-- Which API folder this database serves: another one would know other scopes and kinds.
create table {schema}.own_api (
  only_one boolean primary key default true check (only_one),
  id text not null,
  title text not null,
  adopted_at timestamptz not null
);
