-- nodes: who lives, and who went lately; and how they stand.
select id, name, executor, workers, started_at,
       (extract(epoch from now() - beat_at) * 1000000)::bigint, gone_at,
       (select count(*) from treadle_lease l where l.node = n.id),
       heap_used, heap_size, heap_max, cpu, gc_millis, threads, running, facts
  from treadle_node n
 where gone_at is null or gone_at > now() - ? * interval '1 microsecond'
 order by gone_at is not null, started_at
