-- gate-news: gates where something has happened, or whose time is over; and, marked by 1, jobs whose deadline has passed.
select gate, 0 as expired from (select distinct gate from treadle_gate_count limit :max) counted
 union
select id, 0 as expired from (
  select g.id from treadle_gate g join treadle_waiting w on w.job_id = g.waiter
   where g.awaited = 'EVENT' and g.until <= current_timestamp limit :max) late
 union
select job_id, 1 as expired from (select job_id from treadle_deadline where at <= current_timestamp limit 1) passed
