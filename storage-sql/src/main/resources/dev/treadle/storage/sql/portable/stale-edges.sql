-- stale-edges: who runs after jobs that stand otherwise than when they were last looked at. In two halves: each is one range
-- of the index.
select waiter, job_id, outcome from (
  select waiter, job_id, outcome from treadle_edge where job_id = any(:jobs) and outcome < :outcome limit :max) less
 union all
select waiter, job_id, outcome from (
  select waiter, job_id, outcome from treadle_edge where job_id = any(:jobs) and outcome > :outcome limit :max) more
