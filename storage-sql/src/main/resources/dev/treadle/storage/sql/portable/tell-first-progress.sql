-- tell-first-progress: how far the first run is that reports it. The casts name the types where a select has none.
insert into treadle_progress (job_id, token, at, done, total, meta)
select id, cast(:token as bigint), cast(:at as timestamp with time zone),
       cast(:done as bigint), cast(:total as bigint), cast(:meta as varchar)
  from treadle_job
 where id = :job_id and not exists (select 1 from treadle_progress where job_id = :job_id)
