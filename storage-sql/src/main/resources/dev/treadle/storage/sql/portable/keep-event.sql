-- keep-event: something has come for a job, whose body is locked.
insert into treadle_event (job_id, name, payload, at) values (:job_id, :name, :payload, current_timestamp)
