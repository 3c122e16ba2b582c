-- insert-one-ringing: as insert-one, and tells other processes, as ring does; answers whether there was a node to tell.
with fresh as (
  insert into treadle_job (id, created_at, type, method, arguments, priority, traits)
  values (:id, now(), :type, :method, :arguments, :priority, :traits)
  on conflict (id) do nothing
  returning id, priority),
ready as (
  insert into ${to:INSERT} (lane, priority, run_at, job_id, attempt)
  select :lane::smallint, priority, now(), id, ${attempt:INSERT} from fresh),
counted as (
  insert into treadle_tally (${moves:INSERT}) select 1 from fresh),
other as (
  select id, row_number() over (order by random()) as place from treadle_node where gone_at is null and id <> all (:own_nodes)),
told as (
  select min(id) filter (where place <= :takers::integer) as taker,
         min(id) filter (where place = 1 + :takers::integer) as second from other)
select id, (select pg_notify('${channel}', :text || ';' || coalesce(taker::text, '') || ';' || coalesce(second::text, ''))
              from told where taker is not null or second is not null) is not null
  from fresh
