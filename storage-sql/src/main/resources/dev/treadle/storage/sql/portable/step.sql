-- step: the recorded step of a name, and whether the run still holds the lease.
select s.name, s.attempt, s.at, s.took_micros, s.result, s.secrets
  from treadle_step s
  join treadle_lease l on l.job_id = s.job_id
 where s.job_id = :job_id and s.name = :name and l.token = :token
