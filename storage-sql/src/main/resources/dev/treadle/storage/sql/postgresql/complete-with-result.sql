-- complete-with-result: as complete, for attempts that returned something.
with e as materialized (
  select * from unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::text[], ?::text[])
    as e (job_id, token, ran_micros, result, not_kept)),
ended as (
  delete from treadle_lease where ctid = any(array(
    select held.place
      from e cross join lateral (
        select ctid as place from treadle_lease l where l.job_id = e.job_id and l.token = e.token offset 0) held))
  returning *),
told as (
  insert into treadle_history (job_id, token, event, next, attempt, node, claimed_at, at, ran_micros)
  select l.job_id, l.token, 0, 3, l.attempt, l.node, l.claimed_at, now(), e.ran_micros
    from ended l join e on e.job_id = l.job_id and e.token = l.token),
kept as (
  insert into treadle_result (job_id, token, result, not_kept)
  select l.job_id, l.token, e.result, e.not_kept
    from ended l join e on e.job_id = l.job_id and e.token = l.token
  on conflict (job_id) do update
     set token = excluded.token, result = excluded.result, not_kept = excluded.not_kept),
counted as (
  insert into treadle_tally (processing, succeeded) select -count(*), count(*) from ended having count(*) > 0)
select job_id, token from ended
