-- event: what came for a job under a name.
select payload from treadle_event where job_id = :job_id and name = :name
