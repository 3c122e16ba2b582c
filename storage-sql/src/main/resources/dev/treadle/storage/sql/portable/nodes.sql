-- nodes: nodes that run, and those that have ended lately; with their leases and figures.
select id, name, executor, workers, started_at,
       cast(extract(epoch from current_timestamp - beat_at) * 1000000 as bigint), gone_at,
       (select count(*) from treadle_lease l where l.node = n.id),
       heap_used, heap_size, heap_max, cpu, gc_millis, threads, running, facts
  from treadle_node n
 where gone_at is null or gone_at > current_timestamp - cast(:gone_micros as bigint) * interval '0.000001' second
 order by gone_at is not null, started_at
