-- retention-delete-history: of jobs that ended long ago.
delete from treadle_history where job_id = any(?)
