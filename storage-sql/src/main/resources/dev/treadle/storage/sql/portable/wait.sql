-- wait: one job waits at a gate.
insert into treadle_waiting (job_id, since, lane, priority, attempt) values (:job_id, current_timestamp, :lane, :priority, :attempt)
