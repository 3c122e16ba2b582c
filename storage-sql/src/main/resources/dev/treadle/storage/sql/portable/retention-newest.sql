-- retention-newest: whether jobs have moved since they were looked at.
select job_id, max(token) from treadle_history where job_id = any(:ids) group by job_id
