-- tell-line: a line of the log of a run, kept once. The casts name the types where a select has none.
insert into treadle_log (job_id, token, line, at, said)
select id, cast(:token as bigint), cast(:line as integer), cast(:at as timestamp with time zone), cast(:text as varchar)
  from treadle_job
 where id = :job_id and not exists (select 1 from treadle_log where job_id = :job_id and token = :token and line = :line)
