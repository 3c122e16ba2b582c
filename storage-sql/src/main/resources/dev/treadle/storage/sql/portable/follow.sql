-- follow: one job runs after another, which is not known to have ended.
insert into treadle_edge (waiter, job_id, outcome) values (:waiter, :job_id, -1)
