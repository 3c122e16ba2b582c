-- recurring-list: recurring jobs by their ids, from one on.
select id, version, type, method, arguments, priority, traits, schedule, declared, missed, missed_after, overlap, jitter,
       next_at, last_slot, last_job, awaited, status, changed_by, changed_why, changed_at
  from treadle_recurring
 where id >= :from
 order by id limit :max
