-- leave-if-there: take one job out of a table, if nobody else has.
delete from ${table} where job_id = :job_id
