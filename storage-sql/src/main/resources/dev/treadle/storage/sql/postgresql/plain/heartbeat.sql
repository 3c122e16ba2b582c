-- heartbeat: a node lives, and how it stands; its minute goes with a statement of its own.
insert into treadle_node (heap_used, heap_size, heap_max, cpu, gc_millis, threads, running, facts,
                          id, name, executor, workers, dead_after_micros, started_at, beat_at, gone_at)
values (:heap_used, :heap_size, :heap_max, :cpu, :gc_millis, :threads, :running, :facts,
        :node, :name, :executor, :workers, :dead_after_micros, current_timestamp, current_timestamp, null)
on conflict (id) do update
   set beat_at = excluded.beat_at, dead_after_micros = excluded.dead_after_micros, gone_at = null,
       heap_used = excluded.heap_used, heap_size = excluded.heap_size, heap_max = excluded.heap_max, cpu = excluded.cpu,
       gc_millis = excluded.gc_millis, threads = excluded.threads, running = excluded.running, facts = excluded.facts
