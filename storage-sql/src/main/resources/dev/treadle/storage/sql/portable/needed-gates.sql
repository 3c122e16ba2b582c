-- needed-gates: those gates at which a job waits that has not ended, so that what they count is kept.
select g.id
  from treadle_gate g
  join treadle_job j on j.id = g.waiter
  left join treadle_history h
    on h.job_id = j.id and h.token = (select max(token) from treadle_history where job_id = j.id)
 where g.id = any(:ids) and coalesce(h.next, -1) not in (${SUCCEEDED}, ${FAILED}, ${CANCELLED})
