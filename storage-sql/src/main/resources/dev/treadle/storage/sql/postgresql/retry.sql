-- retry: end attempts badly and schedule the next, each only if its lease still holds; answers those that did.
with e as materialized (
  select * from unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::smallint[], ?::text[], ?::text[], ?::text[], ?::bigint[], ?::smallint[],
    ?::smallint[])
    as e (job_id, token, ran_micros, event, error_type, error_message, error_trace, delay, priority, lane)),
ended as (
  delete from treadle_lease where ctid = any(array(
    select held.place
      from e cross join lateral (
        select ctid as place from treadle_lease l where l.job_id = e.job_id and l.token = e.token offset 0) held))
  returning *),
told as (
  insert into treadle_history (job_id, token, event, next, attempt, node, claimed_at, at, ran_micros,
                               error_type, error_message, error_trace)
  select l.job_id, l.token, e.event, 0, l.attempt, l.node, l.claimed_at, now(), e.ran_micros,
         e.error_type, e.error_message, e.error_trace
    from ended l join e on e.job_id = l.job_id and e.token = l.token),
deferred as (
  insert into treadle_deferred (job_id, due_at, since, lane, priority, attempt)
  select l.job_id, now() + e.delay * interval '1 microsecond', now(), coalesce(e.lane, 0), e.priority, l.attempt
    from ended l join e on e.job_id = l.job_id and e.token = l.token),
counted as (
  insert into treadle_tally (processing, scheduled) select -count(*), count(*) from ended having count(*) > 0)
select job_id, token from ended
