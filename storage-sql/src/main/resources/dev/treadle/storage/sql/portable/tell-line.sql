-- tell-line: a line of the log of a run, kept once. The casts name the types where a select has none.
insert into treadle_log (job_id, token, line, at, said)
select id, cast(? as bigint), cast(? as integer), cast(? as timestamp with time zone), cast(? as varchar)
  from treadle_job
 where id = ? and not exists (select 1 from treadle_log where job_id = ? and token = ? and line = ?)
