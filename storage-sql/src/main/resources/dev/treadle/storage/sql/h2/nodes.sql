-- nodes: who lives, and who went lately.
select id, name, executor, workers, started_at, datediff(microsecond, beat_at, current_timestamp), gone_at,
       (select count(*) from treadle_lease l where l.node = n.id)
  from treadle_node n
 where gone_at is null or gone_at > dateadd(microsecond, -?, current_timestamp)
 order by gone_at is not null, started_at
