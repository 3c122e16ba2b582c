-- hold-place: whether a job is in a table; it does not leave it until this transaction has ended.
select 1 from ${table} where job_id = :job_id for update
