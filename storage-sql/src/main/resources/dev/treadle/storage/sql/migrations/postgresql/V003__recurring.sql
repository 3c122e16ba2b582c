-- Recurring jobs, deleted ones too, so that no code brings them back: see docs/adr/0008-recurring.md.
-- A row is only ever written by whoever saw its present version.
create table if not exists treadle_recurring (
  id text primary key,
  version bigint not null,
  type text not null,
  method text,
  arguments text not null,
  priority smallint not null,
  traits text,
  schedule text not null,
  declared text not null,
  missed text not null,
  missed_after bigint not null,
  overlap text not null,
  jitter bigint not null,
  next_at timestamptz,
  last_slot timestamptz,
  last_job uuid,
  awaited uuid,
  status text not null,
  changed_by text,
  changed_why text,
  changed_at timestamptz not null
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_cost_delay = 0);

create index if not exists treadle_recurring_next on treadle_recurring (next_at);

create index if not exists treadle_recurring_awaited on treadle_recurring (awaited) where awaited is not null;
