-- minute: what a node has done in its present minute.
insert into treadle_minute (at, node, seconds, succeeded, failed, run_p50, run_p95, wait_p95, running, heap_used,
                            heap_size, heap_max, cpu, threads)
values (:minute, :node, :seconds, :succeeded, :failed, :run_p50, :run_p95, :wait_p95, :minute_running,
        :minute_heap_used, :minute_heap_size, :minute_heap_max, :minute_cpu, :minute_threads)
on conflict (at, node) do update
   set seconds = excluded.seconds, succeeded = excluded.succeeded, failed = excluded.failed, run_p50 = excluded.run_p50,
       run_p95 = excluded.run_p95, wait_p95 = excluded.wait_p95, running = excluded.running,
       heap_used = excluded.heap_used, heap_size = excluded.heap_size, heap_max = excluded.heap_max,
       cpu = excluded.cpu, threads = excluded.threads
