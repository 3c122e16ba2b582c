-- list-processing: as list-all, of jobs in treadle_lease.
select id, 0 as priority, cast(null as timestamp with time zone) as at, fits, looked_at from (
  select id, lead(id) over (order by id desc) is null as last, count(*) over () as looked_at,
         (lower(type || '.' || coalesce(method, '') || ' ' || coalesce(traits, '')) like ? and lower(arguments) like ?
          and coalesce(traits, '') like ? and coalesce(traits, '') not like ?
          and created_at >= ? and created_at < ?) as fits
    from (select j.* from (select job_id from treadle_lease where job_id < ? order by job_id desc limit ?) placed
            join treadle_job j on j.id = placed.job_id) scanned) looked
 where fits or last order by id desc limit ?
