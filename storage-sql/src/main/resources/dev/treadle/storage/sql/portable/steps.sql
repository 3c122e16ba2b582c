-- steps: what steps of a job returned, in the order in which they were recorded.
select name, attempt, at, took_micros, result, secrets
  from treadle_step
 where job_id = :job_id
 order by token, at, name
 limit :max offset :from
