-- recurring-list: recurring jobs whose ids come after one, by their ids.
select id, version, type, method, arguments, priority, traits, schedule, declared, missed, missed_after, overlap, jitter,
       next_at, last_slot, last_job, awaited, status, changed_by, changed_why, changed_at
  from treadle_recurring
 where id > :after
 order by id limit :max
