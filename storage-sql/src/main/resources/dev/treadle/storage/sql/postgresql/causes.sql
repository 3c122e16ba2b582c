-- causes: failed jobs by cause. The index is skipped through, one step for each cause, and only so many entries of each
-- are counted.
with recursive cause (name) as (
  (select error_cause from treadle_history where next = ${FAILED} and error_cause is not null order by error_cause limit 1)
  union all
  select (select error_cause from treadle_history where next = ${FAILED} and error_cause > cause.name order by error_cause limit 1)
    from cause where cause.name is not null),
counted as (
  select cause.name, f.jobs, f.first, f.last
    from (select name from cause where name is not null limit :max) cause
   cross join lateral (
     select count(*) as jobs, min(at) as first, max(at) as last
       from (select at from treadle_history h
              where h.next = ${FAILED} and h.error_cause = cause.name
                and h.token = (select max(token) from treadle_history told where told.job_id = h.job_id)
              order by at desc, job_id desc limit :counted_max) latest) f
   where f.jobs > 0)
select counted.name, counted.jobs, counted.first, counted.last, latest.job_id, j.type, j.method, latest.error_message
  from counted
 cross join lateral (
   select h.job_id, h.error_message from treadle_history h
    where h.next = ${FAILED} and h.error_cause = counted.name
      and h.token = (select max(token) from treadle_history told where told.job_id = h.job_id)
    order by at desc, job_id desc limit 1) latest
  join treadle_job j on j.id = latest.job_id
 order by counted.last desc
