-- due-keyed: jobs with a key whose time has come, those due first first. Read without a lock: joining looks again.
select k.job_id, k.attempt, j.priority, j.traits
  from treadle_keyed k
  join treadle_job j on j.id = k.job_id
 where k.due_at <= current_timestamp
 order by k.due_at limit :max
