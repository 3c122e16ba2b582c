-- take-name: a job takes a unique name that is free.
insert into treadle_unique (name, job_id, while_running, held_until) values (:name, :job_id, :while_running, :held_until)
