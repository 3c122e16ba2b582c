-- causes: failed jobs by cause.
select error_cause, jobs, first, last, job_id, type, method, error_message from (
  select h.error_cause, h.job_id, h.error_message, h.at,
         row_number() over (partition by h.error_cause order by h.at desc, h.job_id desc) as place,
         count(*) over (partition by h.error_cause) as jobs,
         min(h.at) over (partition by h.error_cause) as first,
         max(h.at) over (partition by h.error_cause) as last
    from treadle_history h
   where h.next = 4 and h.error_cause is not null
     and h.token = (select max(token) from treadle_history told where told.job_id = h.job_id)) f
  join treadle_job j on j.id = f.job_id
 where f.place = 1
 order by last desc limit ?
