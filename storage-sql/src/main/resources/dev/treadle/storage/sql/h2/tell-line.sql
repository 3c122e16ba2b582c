-- tell-line: a line that a run said, kept once.
insert into treadle_log (job_id, token, line, at, said)
select id, ?, ?, ?, ? from treadle_job
 where id = ? and not exists (select 1 from treadle_log where job_id = ? and token = ? and line = ?)
