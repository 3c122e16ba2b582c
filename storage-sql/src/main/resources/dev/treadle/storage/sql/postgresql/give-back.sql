-- give-back: make jobs ready again, attempt not counted, each only if its lease still holds; answers those.
-- Only what had begun to run (its micros are not null) leaves a row in the history.
with ended as (
  delete from treadle_lease l
   using unnest(?::uuid[], ?::bigint[], ?::bigint[], ?::smallint[]) as e (job_id, token, ran_micros, priority)
   where l.job_id = e.job_id and l.token = e.token
  returning l.node, l.claimed_at, l.attempt, e.*),
told as (
  insert into treadle_history (job_id, token, event, next, attempt, node, claimed_at, at, ran_micros)
  select job_id, token, 3, 1, attempt, node, claimed_at, now(), ran_micros from ended where ran_micros is not null),
ready as (
  insert into treadle_ready (priority, run_at, job_id, attempt)
  select priority, claimed_at, job_id, attempt - 1 from ended)
select job_id, token from ended
