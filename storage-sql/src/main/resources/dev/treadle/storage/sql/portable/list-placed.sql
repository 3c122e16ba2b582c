-- list-placed: as list-all, of jobs that are leased or parked.
select id, 0 as priority, cast(null as timestamp with time zone) as at, fits, looked_at from (
  select id, lead(id) over (order by id desc) is null as last, count(*) over () as looked_at,
         (${part:fits}) as fits
    from (select j.* from (select job_id from ${table} where job_id < :after_id order by job_id desc limit :scanned) placed
            join treadle_job j on j.id = placed.job_id) scanned) looked
 where fits or last order by id desc limit :max
