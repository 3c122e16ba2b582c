-- recent: a sample of the attempts that ended just now.
select h.attempt, h.ran_micros, h.claimed_at, j.created_at
  from (select * from treadle_history
         where at > now() - :within_micros * interval '1 microsecond' and claimed_at is not null limit :max) h
 cross join lateral (select created_at from treadle_job where id = h.job_id offset 0) j
