-- list-succeeded: as list-all, of jobs whose last history row says that they ended well.
select id, 0 as priority, cast(null as timestamp with time zone) as at, fits, looked_at from (
  select id, lead(id) over (order by id desc, token desc) is null as last, count(*) over () as looked_at, token,
         (next = ${SUCCEEDED} and token = last_token
          and ${part:fits}) as fits
    from (select j.*, h.next, h.token,
                 (select max(token) from treadle_history told where told.job_id = h.job_id) as last_token
            from (select job_id, token, next from treadle_history where job_id < :after_id
                   order by job_id desc, token desc limit :scanned) h
            join treadle_job j on j.id = h.job_id) scanned) looked
 where fits or last order by id desc, token desc limit :max
