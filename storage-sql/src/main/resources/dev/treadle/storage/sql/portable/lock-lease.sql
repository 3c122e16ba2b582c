-- lock-lease: whether one lease holds. Fails while another transaction is ending it: waiting here could not be interrupted.
select 1 from treadle_lease where job_id = :job_id and token = :token for update nowait
