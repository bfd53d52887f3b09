-- What one actor did, newest first. The system has no id: its name stands for it.
create index audit_log_actor on {schema}.audit_log (coalesce(actor_id, actor_type), id);
