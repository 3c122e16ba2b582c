-- minutes-of: what one node did, minute by minute.
select at, seconds, succeeded, failed, run_p50, run_p95, wait_p95, running, heap_used, heap_size, heap_max, cpu, threads
  from treadle_minute where at >= :since and node = :node order by at
