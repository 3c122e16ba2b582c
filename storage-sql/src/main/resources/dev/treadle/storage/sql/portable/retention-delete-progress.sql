-- retention-delete-progress: of jobs that ended long ago.
delete from treadle_progress where job_id = any(?)
