-- list-labelled: as list-all, of jobs with a label in any state or one; where each stands is looked up as in states.
select id, 0 as priority, cast(null as timestamp with time zone) as at, fits, looked_at from (
  select id, lead(id) over (order by id desc) is null as last, count(*) over () as looked_at,
         (${part:fits}
          and ${part:stands}) as fits
    from (select j.* from (select job_id from treadle_label where label = :label and job_id < :after_id order by job_id desc limit :scanned) placed
            join treadle_job j on j.id = placed.job_id) scanned) looked
 where fits or last order by id desc limit :max
