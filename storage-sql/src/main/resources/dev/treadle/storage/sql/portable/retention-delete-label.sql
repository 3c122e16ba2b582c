-- retention-delete-label: of jobs that ended long ago.
delete from treadle_label where job_id = any(?)
