-- list-failed: as list-all, of jobs whose last history row says failed, latest first.
select id, 0 as priority, at, fits, looked_at from (
  select id, ended as at, lead(id) over (order by ended desc, id desc) is null as last, count(*) over () as looked_at,
         (token = last_token
          and lower(type || '.' || coalesce(method, '') || ' ' || coalesce(traits, '')) like ? and lower(arguments) like ?
          and coalesce(traits, '') like ? and coalesce(traits, '') not like ?
          and created_at >= ? and created_at < ?
          and lower(coalesce(error_type, '') || ' ' || coalesce(error_message, '')) like ?) as fits
    from (select j.*, h.at as ended, h.token, h.error_type, h.error_message,
                 (select max(token) from treadle_history told where told.job_id = h.job_id) as last_token
            from (select * from treadle_history
                   where next = 4 and at <= ? and (at, job_id) < (?, ?)
                   order by at desc, job_id desc limit ?) h
            join treadle_job j on j.id = h.job_id) scanned) looked
 where fits or last order by at desc, id desc limit ?
