-- orphans: jobs leased to nodes that have stopped, are unknown, or have been silent for so many microseconds.
select j.id, j.type, j.method, j.arguments, j.priority, j.traits, j.created_at,
       l.attempt, l.token, l.node, l.claimed_at
  from treadle_lease l
  join treadle_job j on j.id = l.job_id
 where not exists (
   select 1 from treadle_node n
    where n.id = l.node and n.gone_at is null and n.beat_at >= now() - ? * interval '1 microsecond')
 limit ?
