-- How nodes stand, told with their heartbeats, and what they did minute by minute: see docs/adr/0018-figures.md.

alter table treadle_node add column if not exists heap_used bigint;
alter table treadle_node add column if not exists heap_size bigint;
alter table treadle_node add column if not exists heap_max bigint;
alter table treadle_node add column if not exists cpu double precision;
alter table treadle_node add column if not exists gc_millis bigint;
alter table treadle_node add column if not exists threads integer;
alter table treadle_node add column if not exists running integer;
alter table treadle_node add column if not exists facts text;

-- One row for each node and minute, written again with each heartbeat; none is older than eight days.
create table if not exists treadle_minute (
  at timestamptz not null,
  node bigint not null,
  seconds integer not null,
  succeeded bigint not null,
  failed bigint not null,
  run_p50 bigint,
  run_p95 bigint,
  wait_p95 bigint,
  running integer not null,
  heap_used bigint not null,
  heap_size bigint not null,
  heap_max bigint not null,
  cpu double precision not null,
  threads integer not null,
  primary key (at, node)
) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.1, autovacuum_vacuum_threshold = 500);
