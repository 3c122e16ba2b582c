-- heartbeat: a node lives, and how it stands; with it go the row of its present minute, if it tells one, and a few rows
-- that have had their time.
with told as (
  select * from (values (:minute::timestamptz, :node::bigint, :seconds::integer, :succeeded::bigint, :failed::bigint,
                         :run_p50::bigint, :run_p95::bigint, :wait_p95::bigint, :minute_running::integer,
                         :minute_heap_used::bigint, :minute_heap_size::bigint, :minute_heap_max::bigint,
                         :minute_cpu::double precision, :minute_threads::integer))
    as m (at, node, seconds, succeeded, failed, run_p50, run_p95, wait_p95, running,
          heap_used, heap_size, heap_max, cpu, threads)
   where at is not null),
minute as (
  insert into treadle_minute (at, node, seconds, succeeded, failed, run_p50, run_p95, wait_p95, running, heap_used,
                              heap_size, heap_max, cpu, threads)
  select * from told
  on conflict (at, node) do update
     set seconds = excluded.seconds, succeeded = excluded.succeeded, failed = excluded.failed, run_p50 = excluded.run_p50,
         run_p95 = excluded.run_p95, wait_p95 = excluded.wait_p95, running = excluded.running,
         heap_used = excluded.heap_used, heap_size = excluded.heap_size, heap_max = excluded.heap_max,
         cpu = excluded.cpu, threads = excluded.threads),
gone as (
  delete from treadle_minute where ctid = any(array(
    select ctid from treadle_minute
     where at < now() - :kept_micros::bigint * interval '1 microsecond' and exists (select 1 from told)
     order by at limit :forgotten_max for update skip locked)))
insert into treadle_node (heap_used, heap_size, heap_max, cpu, gc_millis, threads, running, facts,
                          id, name, executor, workers, dead_after_micros, started_at, beat_at, gone_at)
values (:heap_used, :heap_size, :heap_max, :cpu, :gc_millis, :threads, :running, :facts,
        :node, :name, :executor, :workers, :dead_after_micros, now(), now(), null)
on conflict (id) do update
   set beat_at = excluded.beat_at, dead_after_micros = excluded.dead_after_micros, gone_at = null,
       heap_used = excluded.heap_used, heap_size = excluded.heap_size, heap_max = excluded.heap_max, cpu = excluded.cpu,
       gc_millis = excluded.gc_millis, threads = excluded.threads, running = excluded.running, facts = excluded.facts
