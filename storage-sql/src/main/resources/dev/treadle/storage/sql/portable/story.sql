-- story: one job, where it stands, and its history, oldest first; one row per history row, or one without.
select j.id, j.type, j.method, j.arguments, j.priority, j.traits, j.created_at,
       ${part:place-columns},
       h.token, h.event, h.next, h.attempt, h.node, h.moved_by, h.claimed_at, h.at, h.ran_micros,
       h.error_type, h.error_message, h.error_trace
  from ${part:places}
  left join treadle_history h on h.job_id = j.id
 where j.id = :id
 order by h.token
