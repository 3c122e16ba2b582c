-- defer: one job waits until an instant.
insert into treadle_deferred (job_id, due_at, since, lane, priority, attempt)
values (:job_id, :due_at, current_timestamp, :lane, :priority, :attempt)
