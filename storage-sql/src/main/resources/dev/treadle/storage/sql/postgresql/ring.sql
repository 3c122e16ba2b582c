-- ring: tell nodes of other processes that jobs are due: as many, chosen at random, as have the workers for them, each with
-- the number of jobs that it is to take, and one more that looks for itself a little later, in case those do not take them.
-- Answers whether there was a node to tell.
with other as (
  select id, place, workers, coalesce(sum(workers) over (order by place rows between unbounded preceding and 1 preceding), 0) as before
    from (select id, workers, row_number() over (order by random()) as place
            from treadle_node where gone_at is null and id <> all (:own_nodes)) shuffled),
told as (
  select string_agg(id || ':' || least(workers, :jobs::integer - before), ',')
           filter (where before < :jobs::integer and place <= 200) as takers,
         min(id) filter (where place = (select min(place) from other where before >= :jobs::integer or place > 200)) as second
    from other)
select (select pg_notify('${channel}', :text || ';' || coalesce(takers, '') || ';' || coalesce(second::text, ''))
          from told where takers is not null or second is not null) is not null
