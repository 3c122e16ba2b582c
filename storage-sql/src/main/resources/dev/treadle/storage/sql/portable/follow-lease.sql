-- follow-lease: others run after a job that runs now, so its ending is told to them.
update treadle_lease set followed = true where job_id = :job_id
