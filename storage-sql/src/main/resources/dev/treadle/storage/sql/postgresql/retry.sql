-- retry: end attempts badly and schedule the next, each only if its lease still holds; answers those that did.
with ended as (
  delete from treadle_lease l
   using unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::smallint[], ?::text[], ?::text[], ?::text[], ?::bigint[],
                ?::smallint[])
      as e (job_id, token, ran_micros, event, error_type, error_message, error_trace, delay, priority)
   where l.job_id = e.job_id and l.token = e.token
  returning l.node, l.claimed_at, l.attempt, e.*),
told as (
  insert into treadle_history (job_id, token, event, next, attempt, node, claimed_at, at, ran_micros,
                               error_type, error_message, error_trace)
  select job_id, token, event, 0, attempt, node, claimed_at, now(), ran_micros, error_type, error_message, error_trace
    from ended),
deferred as (
  insert into treadle_deferred (job_id, due_at, since, priority, attempt)
  select job_id, now() + delay * interval '1 microsecond', now(), priority, attempt from ended)
select job_id, token from ended
