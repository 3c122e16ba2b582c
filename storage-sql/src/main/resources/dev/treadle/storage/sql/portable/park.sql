-- park: put aside one job that this node cannot run.
insert into treadle_parked (job_id, target, known, since, lane, priority, attempt)
values (:job_id, :target, :known, :now, :lane, :priority, :attempt)
