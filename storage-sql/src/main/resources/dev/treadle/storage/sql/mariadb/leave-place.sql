-- leave-place: take one job out of a table; answers what was there.
delete from ${table} where job_id = :job_id returning ${columns}
