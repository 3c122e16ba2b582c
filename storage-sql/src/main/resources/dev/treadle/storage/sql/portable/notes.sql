-- notes: what the last run that told anything told of itself.
select at, done, total, meta from treadle_progress where job_id = :job_id
