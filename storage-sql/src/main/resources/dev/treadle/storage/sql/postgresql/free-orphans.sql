-- free-orphans: lock those of the leases whose nodes have not been heard again and that nobody else is writing.
select held.job_id, held.token
  from unnest(:job_ids::uuid[], :tokens::bigint[]) as e (job_id, token) cross join lateral (
    select l.job_id, l.token from treadle_lease l
     where l.job_id = e.job_id and l.token = e.token
       and not exists (select from treadle_node n where n.id = l.node and n.gone_at is null)
       for update skip locked) held
