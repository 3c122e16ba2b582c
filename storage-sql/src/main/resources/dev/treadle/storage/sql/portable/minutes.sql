-- minutes: what all nodes together did, minute by minute; each node by the share of the minute for which it was there.
select at, covered, succeeded, failed, run_p50, run_p95, wait_p95, cast(floor(running / covered) as integer),
       cast(floor(heap_used / covered) as bigint), cast(floor(heap_size / covered) as bigint),
       cast(floor(heap_max / covered) as bigint), cpu, cast(floor(threads / covered) as integer)
  from (select at, least(greatest(60, max(seconds)), sum(seconds)) as covered, sum(succeeded) as succeeded,
               sum(failed) as failed, max(run_p50) as run_p50, max(run_p95) as run_p95, max(wait_p95) as wait_p95,
               sum(cast(running as bigint) * seconds) as running, sum(heap_used * seconds) as heap_used,
               sum(heap_size * seconds) as heap_size, sum(heap_max * seconds) as heap_max, max(cpu) as cpu,
               sum(cast(threads as bigint) * seconds) as threads
          from treadle_minute where at >= :since group by at) m
 order by at
