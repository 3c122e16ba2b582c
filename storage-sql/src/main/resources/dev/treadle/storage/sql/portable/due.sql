-- due: scheduled jobs whose time has come, those due first first.
select lane, priority, due_at, job_id, attempt
  from treadle_deferred where due_at <= current_timestamp order by due_at limit :max${skip_locked}
