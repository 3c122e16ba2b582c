-- orphans: jobs leased to nodes that have gone or are unknown, but for one node's.
select j.id, j.type, j.method, j.arguments, j.priority, j.traits, j.created_at,
       l.attempt, l.token, l.node, l.claimed_at
  from treadle_lease l
  join treadle_job j on j.id = l.job_id
 where l.node <> :asker and not exists (select 1 from treadle_node n where n.id = l.node and n.gone_at is null)
 limit :max${skip_locked_leases}
