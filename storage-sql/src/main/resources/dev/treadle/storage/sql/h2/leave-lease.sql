-- leave-lease: take one job out of treadle_lease; answers its attempt, and which run lost the lease.
select attempt, token, node from old table (delete from treadle_lease where job_id = ?)
