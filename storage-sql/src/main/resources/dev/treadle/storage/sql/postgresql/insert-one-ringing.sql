-- insert-one-ringing: as insert-one, and tells other processes, as ring does; answers whether there was a node to tell.
${part:insert-one},
other as (
  select id, row_number() over (order by random()) as place from treadle_node where gone_at is null and id <> all (:own_nodes)),
told as (
  select min(id) filter (where place <= :takers::integer) as taker,
         min(id) filter (where place = 1 + :takers::integer) as second from other)
select id, (select pg_notify('${channel}', :text || ';' || coalesce(taker::text, '') || ';' || coalesce(second::text, ''))
              from told where taker is not null or second is not null) is not null
  from fresh
