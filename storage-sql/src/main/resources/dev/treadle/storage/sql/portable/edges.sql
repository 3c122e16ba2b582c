-- edges: what jobs run after, and how those had ended when they were last looked at.
select waiter, job_id, outcome from treadle_edge where waiter = any(:waiters)
