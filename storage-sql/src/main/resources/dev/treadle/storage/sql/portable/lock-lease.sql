-- lock-lease: whether one lease holds; waits for a transaction that is ending it.
select 1 from treadle_lease where job_id = ? and token = ? for update
