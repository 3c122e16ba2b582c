-- list-cause: as list-failed, of one cause.
select id, 0 as priority, at, fits, looked_at from (
  select id, ended as at, lead(id) over (order by ended desc, id desc) is null as last, count(*) over () as looked_at,
         (token = last_token
          and lower(type || '.' || coalesce(method, '') || ' ' || coalesce(traits, '')) like ? and lower(arguments) like ?
          and coalesce(traits, '') like ? and coalesce(traits, '') not like ?
          and created_at >= ? and created_at < ?
          and lower(coalesce(error_type, '') || ' ' || coalesce(error_message, '')) like ?) as fits
    from (select j.*, h.at as ended, h.token, h.error_type, h.error_message,
                 (select max(token) from treadle_history told where told.job_id = h.job_id) as last_token
            from (select h.* from treadle_history h
                   where next = 4 and case when h.error_type <> '' then h.error_type || coalesce(' at '
                || regexp_substr(h.error_trace, '\n\tat (?!java\.|javax\.|jdk\.|sun\.)([^(\n]+)', 1, 1, null, 1), '') end = ? and at <= ? and (at, job_id) < (?, ?)
                   order by at desc, job_id desc limit ?) h
            join treadle_job j on j.id = h.job_id) scanned) looked
 where fits or last order by at desc, id desc limit ?
