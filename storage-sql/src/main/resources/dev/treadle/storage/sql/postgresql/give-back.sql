-- give-back: make jobs ready again, attempt not counted, each only if its lease still holds; answers those.
-- They return to their place in line. Only what had begun to run (its micros are not null) leaves a row in the history.
with e as materialized (
  select * from unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::timestamptz[], ?::smallint[], ?::smallint[])
    as e (job_id, token, ran_micros, due_since, priority, lane)),
ended as (
  delete from treadle_lease where ctid = any(array(
    select held.place
      from e cross join lateral (
        select ctid as place from treadle_lease l where l.job_id = e.job_id and l.token = e.token offset 0) held))
  returning *),
told as (
  insert into treadle_history (job_id, token, event, next, attempt, node, claimed_at, at, ran_micros)
  select l.job_id, l.token, 3, 1, l.attempt, l.node, l.claimed_at, now(), e.ran_micros
    from ended l join e on e.job_id = l.job_id and e.token = l.token
   where e.ran_micros is not null),
ready as (
  insert into treadle_ready (lane, priority, run_at, job_id, attempt)
  select coalesce(e.lane, 0), e.priority, least(e.due_since, l.claimed_at), l.job_id, l.attempt - 1
    from ended l join e on e.job_id = l.job_id and e.token = l.token),
counted as (
  insert into treadle_tally (processing, enqueued) select -count(*), count(*) from ended having count(*) > 0)
select job_id, token from ended
