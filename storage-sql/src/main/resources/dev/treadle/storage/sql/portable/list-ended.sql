-- list-ended: as list-all, of jobs whose last history row says failed or cancelled, or failed of one cause; latest first.
select id, 0 as priority, at, fits, looked_at from (
  select id, ended as at, lead(id) over (order by ended desc, id desc) is null as last, count(*) over () as looked_at,
         (token = last_token
          and ${part:fits}
          and lower(concat(coalesce(error_type, ''), ' ', coalesce(error_message, ''))) like :error) as fits
    from (select j.*, h.at as ended, h.token, h.error_type, h.error_message,
                 (select max(token) from treadle_history told where told.job_id = h.job_id) as last_token
            from (select * from treadle_history
                   where next = ${state}${of_cause} and at <= :after_at and (at, job_id) < (:after_at, :after_id)
                   order by at desc, job_id desc limit :scanned) h
            join treadle_job j on j.id = h.job_id) scanned) looked
 where fits or last order by at desc, id desc limit :max
