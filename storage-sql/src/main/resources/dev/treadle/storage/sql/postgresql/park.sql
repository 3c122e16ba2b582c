-- park: put aside what this node cannot run, attempt not counted, each only if its lease still holds; answers those.
with e as materialized (
  select * from unnest(?::uuid[], ?::bigint[], ?::text[], ?::text[], ?::text[], ?::text[], ?::boolean[], ?::smallint[], ?::smallint[])
    as e (job_id, token, error_type, error_message, error_trace, target, known, priority, lane)),
ended as (
  delete from treadle_lease where ctid = any(array(
    select held.place
      from e cross join lateral (
        select ctid as place from treadle_lease l where l.job_id = e.job_id and l.token = e.token offset 0) held))
  returning *),
told as (
  insert into treadle_history (job_id, token, event, next, attempt, node, claimed_at, at,
                               error_type, error_message, error_trace)
  select l.job_id, l.token, 4, 6, l.attempt, l.node, l.claimed_at, now(), e.error_type, e.error_message, e.error_trace
    from ended l join e on e.job_id = l.job_id and e.token = l.token),
parked as (
  insert into treadle_parked (job_id, target, known, since, lane, priority, attempt)
  select l.job_id, e.target, e.known, now(), coalesce(e.lane, 0), e.priority, l.attempt - 1
    from ended l join e on e.job_id = l.job_id and e.token = l.token),
counted as (
  insert into treadle_tally (processing, parked) select -count(*), count(*) from ended having count(*) > 0)
select job_id, token from ended
