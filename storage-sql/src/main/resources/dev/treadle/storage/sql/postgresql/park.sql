-- park: put aside what this node cannot run, attempt not counted, each only if its lease still holds; answers those.
with ended as (
  delete from treadle_lease l
   using unnest(?::uuid[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::boolean[], ?::smallint[])
      as e (job_id, token, error_type, error_message, error_trace, target, known, priority)
   where l.job_id = e.job_id and l.token = e.token
  returning l.node, l.claimed_at, l.attempt, e.*),
told as (
  insert into treadle_history (job_id, token, event, next, attempt, node, claimed_at, at,
                               error_type, error_message, error_trace)
  select job_id, token, 4, 6, attempt, node, claimed_at, now(), error_type, error_message, error_trace from ended),
parked as (
  insert into treadle_parked (job_id, target, known, since, priority, attempt)
  select job_id, target, known, now(), priority, attempt - 1 from ended)
select job_id, token from ended
