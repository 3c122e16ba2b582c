-- retention-delete-result: of jobs that ended long ago.
delete from treadle_result where job_id = any(?)
