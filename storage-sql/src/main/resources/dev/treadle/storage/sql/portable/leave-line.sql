-- leave-line: one job goes on from its line.
delete from treadle_keyed where job_id = ?
