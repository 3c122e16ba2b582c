-- list-all: ids of any jobs, newest id first, of the next so many; where few fit, also the last that was looked at.
select id, 0 as priority, cast(null as timestamp with time zone) as at, fits, looked_at from (
  select id, lead(id) over (order by id desc) is null as last, count(*) over () as looked_at,
         (${part:fits}) as fits
    from (select * from treadle_job where id < :after_id order by id desc limit :scanned) scanned) looked
 where fits or last order by id desc limit :max
