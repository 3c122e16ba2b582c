-- causes: failed jobs by cause. Where tables have no column for it, the statement works the cause out.
select cause, jobs, first, last, job_id, type, method, error_message from (
  select cause, job_id, error_message,
         row_number() over (partition by cause order by at desc, job_id desc) as place,
         count(*) over (partition by cause) as jobs,
         min(at) over (partition by cause) as first,
         max(at) over (partition by cause) as last
    from (select ${cause} as cause, h.job_id, h.error_message, h.at
            from treadle_history h
           where h.next = ${FAILED}
             and h.token = (select max(token) from treadle_history told where told.job_id = h.job_id)) c
   where cause is not null) f
  join treadle_job j on j.id = f.job_id
 where f.place = 1
 order by last desc limit :max
