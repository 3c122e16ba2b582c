-- end: let go of one lease, if it still holds.
delete from treadle_lease where job_id = :job_id and token = :token${only}
