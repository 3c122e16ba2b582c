-- tell-line: lines that runs said, each kept once.
insert into treadle_log (job_id, token, line, at, said)
select e.job_id, e.token, e.line, e.at, e.said
  from unnest(:job_ids::uuid[], :tokens::bigint[], :lines::smallint[], :times::timestamptz[], :texts::text[])
    as e (job_id, token, line, at, said)
 where exists (select 1 from treadle_job j where j.id = e.job_id)
on conflict do nothing
