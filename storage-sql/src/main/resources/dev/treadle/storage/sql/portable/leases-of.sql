-- leases-of: every job leased to a node.
select j.id, j.type, j.method, j.arguments, j.priority, j.traits, j.created_at,
       l.attempt, l.token, l.node, l.claimed_at
  from treadle_lease l
  join treadle_job j on j.id = l.job_id
 where l.node = :node
