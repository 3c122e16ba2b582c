-- leases-of: jobs leased to a node, on some pages, but for the runs that it knows of.
select j.id, j.type, j.method, j.arguments, j.priority, j.traits, j.created_at,
       l.attempt, l.token, l.node, l.claimed_at
  from treadle_lease l
 cross join lateral (select * from treadle_job where id = l.job_id offset 0) j
 where l.ctid >= cast(:from_page as tid) and l.ctid < cast(:to_page as tid) and l.node = :node
   and not exists (
     select from unnest(:known_jobs::uuid[], :known_tokens::bigint[]) as known (job_id, token)
      where known.job_id = l.job_id and known.token = l.token)
