-- How many jobs came into each state, less those that left it: one row for each write, folded now and then. Their sum
-- is how many there are, so nobody has to count them.
create table if not exists treadle_tally (
  scheduled bigint,
  enqueued bigint,
  processing bigint,
  succeeded bigint,
  failed bigint,
  cancelled bigint,
  parked bigint
);

insert into treadle_tally (scheduled, enqueued, processing, succeeded, failed, cancelled, parked)
select (select count(*) from treadle_deferred), (select count(*) from treadle_ready), (select count(*) from treadle_lease),
       coalesce(sum(case when h.next = 3 then 1 end), 0), coalesce(sum(case when h.next = 4 then 1 end), 0),
       coalesce(sum(case when h.next = 5 then 1 end), 0), (select count(*) from treadle_parked)
  from treadle_history h
 where h.next in (3, 4, 5)
   and h.token = (select max(token) from treadle_history where job_id = h.job_id)
   and not exists (select 1 from treadle_tally);
