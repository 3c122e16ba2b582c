-- keep-deadline: until when a new job must have ended.
insert into treadle_deadline (job_id, at) values (:job_id, :at)
