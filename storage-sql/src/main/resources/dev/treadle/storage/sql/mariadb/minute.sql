-- minute: what a node has done in its present minute.
replace into treadle_minute (at, node, seconds, succeeded, failed, run_p50, run_p95, wait_p95, running, heap_used,
                             heap_size, heap_max, cpu, threads)
values (:minute, :node, :seconds, :succeeded, :failed, :run_p50, :run_p95, :wait_p95, :minute_running, :minute_heap_used, :minute_heap_size, :minute_heap_max, :minute_cpu, :minute_threads)
