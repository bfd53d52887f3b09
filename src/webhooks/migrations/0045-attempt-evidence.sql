-- What was sent and what came back besides the bodies, as JSON: headers, and how long each stage took. Null for older attempts.
alter table {schema}.webhook_attempts add column evidence text;
