-- leave-lease: take one job out of treadle_lease; answers its attempt, and which run lost the lease.
delete from treadle_lease where job_id = ? returning attempt, token, node
