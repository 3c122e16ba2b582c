-- list-scheduled: as list-all, of jobs that wait for their time, the next one first, those with a key among them.
select id, 0 as priority, at, fits, looked_at from (
  select id, due_at as at, lead(id) over (order by due_at, id) is null as last, count(*) over () as looked_at,
         (${part:fits}) as fits
    from (select j.*, w.due_at
            from (select * from (
                    (select due_at, job_id from treadle_deferred where due_at >= :after_at and (due_at, job_id) > (:after_at, :after_id)
                      order by due_at, job_id limit :scanned)
                    union all
                    (select due_at, job_id from treadle_keyed where due_at >= :after_at and (due_at, job_id) > (:after_at, :after_id)
                      order by due_at, job_id limit :scanned)) both_places
                   order by due_at, job_id limit :scanned) w
            join treadle_job j on j.id = w.job_id) scanned) looked
 where fits or last order by at, id limit :max
