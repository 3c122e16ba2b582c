-- record-step: keep what a step returned, unless its run has lost the lease or the name is taken. The lease is locked, so
-- that the next run finds the step. The casts name the types where a select has none.
insert into treadle_step (job_id, name, token, attempt, at, took_micros, result, secrets)
select l.job_id, cast(? as varchar), l.token, l.attempt, current_timestamp, cast(? as bigint), cast(? as varchar), cast(? as varchar)
  from treadle_lease l
 where l.job_id = ? and l.token = ?
   and not exists (select 1 from treadle_step s where s.job_id = ? and s.name = ?)
   for update
