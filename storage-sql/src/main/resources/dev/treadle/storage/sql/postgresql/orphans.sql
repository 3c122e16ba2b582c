-- orphans: jobs leased to nodes that have gone or are unknown, on some pages, but for one node's and those that somebody
-- is writing.
select j.id, j.type, j.method, j.arguments, j.priority, j.traits, j.created_at,
       l.attempt, l.token, l.node, l.claimed_at
  from treadle_lease l
 cross join lateral (select * from treadle_job where id = l.job_id offset 0) j
 where l.ctid >= cast(:from_page as tid) and l.ctid < cast(:to_page as tid) and l.node <> :asker
   and not exists (select from treadle_node n where n.id = l.node and n.gone_at is null)
 limit :max for update of l skip locked
