-- hold-lease: whether one lease holds; it cannot be taken until this transaction has ended.
select 1 from treadle_lease where job_id = :job_id and token = :token for update
