-- find-ready: where a job stands in its lane.
select lane, priority, run_at, job_id, attempt from treadle_ready
 where lane = :lane and priority = :priority and job_id = :job_id${and}
