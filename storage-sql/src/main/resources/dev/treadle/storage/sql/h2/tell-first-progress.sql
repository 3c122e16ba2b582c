-- tell-first-progress: how far the first run is that tells it.
insert into treadle_progress (job_id, token, at, done, total, meta)
select id, ?, ?, ?, ?, ? from treadle_job
 where id = ? and not exists (select 1 from treadle_progress where job_id = ?)
