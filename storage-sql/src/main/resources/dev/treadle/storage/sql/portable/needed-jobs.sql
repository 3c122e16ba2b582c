-- needed-jobs: those jobs that others wait to run after.
select e.job_id from treadle_edge e join treadle_waiting w on w.job_id = e.waiter where e.job_id = any(:ids)
