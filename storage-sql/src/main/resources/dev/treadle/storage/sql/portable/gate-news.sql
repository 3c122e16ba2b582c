-- gate-news: gates where something has happened, or whose time is over.
select gate from (select distinct gate from treadle_gate_count limit :max) counted
 union
select id from (
  select g.id from treadle_gate g join treadle_waiting w on w.job_id = g.waiter
   where g.awaited = 'EVENT' and g.until <= current_timestamp limit :max) late
