-- The answer to a refresh stays until the successor is used. From then on the row says, for a short while, that an old token
-- that comes again is a late repeat and no theft; the answer itself is gone.
alter table {schema}.oauth_rotations alter column sealed_answer drop not null;
