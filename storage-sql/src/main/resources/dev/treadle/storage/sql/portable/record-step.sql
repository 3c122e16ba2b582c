-- record-step: keep what a step returned, unless its run has lost the lease or the name is taken. The lease is locked, so
-- that the next run finds the step. The casts name the types where a select has none.
insert into treadle_step (job_id, name, token, attempt, at, took_micros, result, secrets)
select l.job_id, cast(:name as varchar), l.token, l.attempt, current_timestamp,
       cast(:took_micros as bigint), cast(:result as varchar), cast(:secrets as varchar)
  from treadle_lease l
 where l.job_id = :job_id and l.token = :token
   and not exists (select 1 from treadle_step s where s.job_id = :job_id and s.name = :name)
   for update
