-- parked-keyed: jobs with a key that were parked without their slot, under the condition of parked-targets.
select k.job_id, p.attempt, j.priority, j.traits
  from treadle_parked p
  join treadle_keyed k on k.job_id = p.job_id
  join treadle_job j on j.id = p.job_id
 where p.target = :target and p.lane = any(:lanes)
   and (not p.known or p.since < (select started_at from treadle_node where id = :node))
 limit :max
