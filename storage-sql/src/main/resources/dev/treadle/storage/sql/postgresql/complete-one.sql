-- complete-one: as complete, for one attempt and without arrays, whose number of rows PostgreSQL would plan for each time anew.
with ended as (
  delete from ${from:SUCCEED} where job_id = :job_id and token = :token
  returning *),
told as (
  insert into treadle_history (job_id, token, event, next, attempt, node, claimed_at, at, ran_micros)
  select job_id, token, ${event:COMPLETED}, ${SUCCEEDED}, attempt, node, claimed_at, now(), :ran_micros::bigint from ended),
looked_at as (
  insert into treadle_gate_count (gate, ended, failed) select job_id, 0, 0 from ended where followed),
counted as (
  insert into treadle_tally (${moves:SUCCEED}) select -1, 1 from ended)
select job_id, token, followed from ended
