-- heartbeat: a node lives, and how it stands.
merge into treadle_node n
using (values (cast(:heap_used as bigint), cast(:heap_size as bigint), cast(:heap_max as bigint), cast(:cpu as double precision),
               cast(:gc_millis as bigint),
               cast(:threads as integer), cast(:running as integer), cast(:facts as varchar),
               :node, :name, :executor, :workers, cast(:dead_after_micros as bigint)))
  as new (heap_used, heap_size, heap_max, cpu, gc_millis, threads, running, facts,
          id, name, executor, workers, dead_after_micros)
  on n.id = new.id
when matched then update
   set beat_at = current_timestamp, dead_after_micros = new.dead_after_micros, gone_at = null, heap_used = new.heap_used,
       heap_size = new.heap_size, heap_max = new.heap_max, cpu = new.cpu, gc_millis = new.gc_millis,
       threads = new.threads, running = new.running, facts = new.facts
when not matched then insert (heap_used, heap_size, heap_max, cpu, gc_millis, threads, running, facts,
                              id, name, executor, workers, dead_after_micros, started_at, beat_at, gone_at)
  values (new.heap_used, new.heap_size, new.heap_max, new.cpu, new.gc_millis, new.threads, new.running, new.facts,
          new.id, new.name, new.executor, new.workers, new.dead_after_micros, current_timestamp, current_timestamp, null)
