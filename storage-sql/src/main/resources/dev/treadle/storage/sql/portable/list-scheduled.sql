-- list-scheduled: as list-all, of jobs that wait for their time, the next one first, those with a key among them.
select id, 0 as priority, at, fits, looked_at from (
  select id, due_at as at, lead(id) over (order by due_at, id) is null as last, count(*) over () as looked_at,
         (lower(type || '.' || coalesce(method, '') || ' ' || coalesce(traits, '')) like ? and lower(arguments) like ?
          and coalesce(traits, '') like ? and coalesce(traits, '') not like ?
          and created_at >= ? and created_at < ?) as fits
    from (select j.*, w.due_at
            from (select * from (
                    (select due_at, job_id from treadle_deferred where due_at >= ? and (due_at, job_id) > (?, ?)
                      order by due_at, job_id limit ?)
                    union all
                    (select due_at, job_id from treadle_keyed where due_at >= ? and (due_at, job_id) > (?, ?)
                      order by due_at, job_id limit ?)) both_places
                   order by due_at, job_id limit ?) w
            join treadle_job j on j.id = w.job_id) scanned) looked
 where fits or last order by at, id limit ?
