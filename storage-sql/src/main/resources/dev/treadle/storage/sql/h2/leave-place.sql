-- leave-place: take one job out of a table; answers what was there.
select ${columns} from old table (delete from ${table} where job_id = :job_id)
