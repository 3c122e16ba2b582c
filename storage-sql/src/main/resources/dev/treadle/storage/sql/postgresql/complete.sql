-- complete: end attempts well, each only if its lease still holds; answers those that did.
with ended as (
  delete from treadle_lease l
   using unnest(?::uuid[], ?::bigint[], ?::bigint[]) as e (job_id, token, ran_micros)
   where l.job_id = e.job_id and l.token = e.token
  returning l.job_id, l.token, l.node, l.claimed_at, l.attempt, e.ran_micros),
told as (
  insert into treadle_history (job_id, token, event, next, attempt, node, claimed_at, at, ran_micros)
  select job_id, token, 0, 3, attempt, node, claimed_at, now(), ran_micros from ended)
select job_id, token from ended
