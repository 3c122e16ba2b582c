-- parked: parked jobs of some lanes with one target, under the condition of parked-targets.
select lane, priority, job_id, attempt from treadle_parked p
 where target = :target and lane = any(:lanes) and (not known or since < (select started_at from treadle_node where id = :node))
   and not exists (select 1 from treadle_keyed k where k.job_id = p.job_id)
 limit :max${skip_locked}
