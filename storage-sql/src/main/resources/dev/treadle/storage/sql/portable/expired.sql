-- expired: jobs whose deadline has passed, those first that it passed first.
select job_id, at from treadle_deadline where at <= current_timestamp order by at, job_id limit :max
