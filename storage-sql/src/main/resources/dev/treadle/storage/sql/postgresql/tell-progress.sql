-- tell-progress: how far runs are; an older run does not replace what a newer one told.
insert into treadle_progress (job_id, token, at, done, total, meta)
select e.job_id, e.token, e.at, e.done, e.total, e.meta
  from unnest(:job_ids::uuid[], :tokens::bigint[], :times::timestamptz[], :done::bigint[], :totals::bigint[], :meta::text[])
    as e (job_id, token, at, done, total, meta)
 where exists (select 1 from treadle_job j where j.id = e.job_id)
on conflict (job_id) do update
   set token = excluded.token, at = excluded.at, done = excluded.done, total = excluded.total, meta = excluded.meta
 where (treadle_progress.token, treadle_progress.at) <= (excluded.token, excluded.at)
