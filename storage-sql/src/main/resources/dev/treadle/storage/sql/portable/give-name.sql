-- give-name: a unique name goes to a job.
update treadle_unique set job_id = :job_id, while_running = :while_running, held_until = :held_until where name = :name
