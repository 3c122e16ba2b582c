-- edge-ends: how those have ended that jobs run after.
select waiter, count(*) as followed,
       sum(case when outcome = ${SUCCEEDED} then 1 else 0 end) as succeeded,
       sum(case when outcome = ${FAILED} then 1 else 0 end) as failed,
       sum(case when outcome = ${CANCELLED} then 1 else 0 end) as cancelled
  from treadle_edge where waiter = any(:waiters)
 group by waiter order by waiter
