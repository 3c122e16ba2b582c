-- minute: what a node has done in its present minute.
merge into treadle_minute (at, node, seconds, succeeded, failed, run_p50, run_p95, wait_p95, running, heap_used, heap_size,
                           heap_max, cpu, threads)
  key (at, node) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
