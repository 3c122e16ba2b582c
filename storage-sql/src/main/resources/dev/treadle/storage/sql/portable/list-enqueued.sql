-- list-enqueued: as list-all, of jobs that may run now, lane by lane, the next one first, and after them those that wait
-- for a slot of their key, by id; lane and priority are one number in the place of a page.
select id, priority, at, fits, looked_at from (
  select id, w_priority as priority, run_at as at,
         lead(id) over (order by w_priority, run_at, id) is null as last, count(*) over () as looked_at,
         (here
          and ${part:fits}) as fits
    from (select j.*, w.w_priority, w.run_at, w.here
            from (select * from (
                    (select lane * 10000 + priority as w_priority, run_at, job_id, true as here
                       from treadle_ready where (lane, priority, run_at, job_id) > (:after_lane, :after_priority, :after_at, :after_id)
                      order by lane, priority, run_at, job_id limit :scanned)
                    union all
                    (select 2000000000, timestamp with time zone '1970-01-01 00:00:00+00', job_id, place is not null
                       from treadle_keyed where job_id > :after_keyed_id
                      order by job_id limit :scanned)) both_places
                   order by w_priority, run_at, job_id limit :scanned) w
            join treadle_job j on j.id = w.job_id) scanned) looked
 where fits or last order by priority, at, id limit :max
