-- edge-outcome: how a job has ended that another runs after, unless somebody has written that before.
update treadle_edge set outcome = :outcome where waiter = :waiter and job_id = :job_id and outcome = :before
