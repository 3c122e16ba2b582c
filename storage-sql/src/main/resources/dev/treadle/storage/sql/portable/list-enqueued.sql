-- list-enqueued: as list-all, of jobs that may run now, lane by lane, the next one first, and after them those that wait
-- for a slot of their key, by id; lane and priority are one number in the place of a page.
select id, priority, at, fits, looked_at from (
  select id, w_priority as priority, run_at as at,
         lead(id) over (order by w_priority, run_at, id) is null as last, count(*) over () as looked_at,
         (here
          and lower(type || '.' || coalesce(method, '') || ' ' || coalesce(traits, '')) like ? and lower(arguments) like ?
          and coalesce(traits, '') like ? and coalesce(traits, '') not like ?
          and created_at >= ? and created_at < ?) as fits
    from (select j.*, w.w_priority, w.run_at, w.here
            from (select * from (
                    (select lane * 10000 + priority as w_priority, run_at, job_id, true as here
                       from treadle_ready where (lane, priority, run_at, job_id) > (?, ?, ?, ?)
                      order by lane, priority, run_at, job_id limit ?)
                    union all
                    (select 2000000000, timestamp with time zone '1970-01-01 00:00:00+00', job_id, place is not null
                       from treadle_keyed where job_id > ?
                      order by job_id limit ?)) both_places
                   order by w_priority, run_at, job_id limit ?) w
            join treadle_job j on j.id = w.job_id) scanned) looked
 where fits or last order by priority, at, id limit ?
