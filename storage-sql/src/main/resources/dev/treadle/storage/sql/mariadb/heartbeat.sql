-- heartbeat: a node lives, and how it stands.
insert into treadle_node (heap_used, heap_size, heap_max, cpu, gc_millis, threads, running, facts,
                          id, name, executor, workers, dead_after_micros, started_at, beat_at, gone_at)
values (:heap_used, :heap_size, :heap_max, :cpu, :gc_millis, :threads, :running, :facts, :node, :name, :executor, :workers, :dead_after_micros, current_timestamp, current_timestamp, null)
on duplicate key update
  beat_at = values(beat_at), dead_after_micros = values(dead_after_micros), gone_at = null,
  heap_used = values(heap_used), heap_size = values(heap_size), heap_max = values(heap_max), cpu = values(cpu),
  gc_millis = values(gc_millis), threads = values(threads), running = values(running), facts = values(facts)
