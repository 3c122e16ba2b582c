-- take-name: a job takes a unique name, if it is free.
insert into treadle_unique (name, job_id, while_running, held_until)
values (:name, :job_id, :while_running, :held_until)
on conflict (name) do nothing
