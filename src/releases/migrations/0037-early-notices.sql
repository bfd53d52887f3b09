-- Announced before their time, when a release was undone: they would keep the release itself from being announced.
delete from {schema}.release_notices where kind = 'released' and effective_at > told_at;
