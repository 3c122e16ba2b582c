-- places: a job, and the small tables in which it may stand. Who is in none of them and has not ended is ready, so the long
-- table of ready jobs is never looked at.
treadle_job j
  left join treadle_lease l on l.job_id = j.id
  left join treadle_deferred d on d.job_id = j.id
  left join treadle_parked p on p.job_id = j.id
  left join treadle_waiting w on w.job_id = j.id
  left join treadle_keyed k on k.job_id = j.id
