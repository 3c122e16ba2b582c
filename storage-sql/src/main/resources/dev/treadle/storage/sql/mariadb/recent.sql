-- recent: a sample of the attempts that ended just now.
select h.attempt, h.ran_micros, h.claimed_at, j.created_at
  from (select * from treadle_history
         where next in (${SUCCEEDED}, ${FAILED}, ${SCHEDULED}) and at > current_timestamp - interval :within_micros microsecond
           and claimed_at is not null limit :max) h
  join treadle_job j on j.id = h.job_id
