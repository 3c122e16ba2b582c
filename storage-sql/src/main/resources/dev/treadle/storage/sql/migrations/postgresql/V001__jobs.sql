-- Cold bodies that are never updated, narrow hot tables, append-only history: see docs/adr/0002-split-layout.md.

-- Proof of each claim and place of each row in a job's history.
create sequence if not exists treadle_token;

-- The body of each job.
create table if not exists treadle_job (
  id uuid primary key,
  created_at timestamptz not null,
  type text not null,
  method text,
  arguments text not null,
  priority smallint not null,
  retries text
);

-- Enqueued: may run now.
create table if not exists treadle_ready (
  priority smallint not null,
  run_at timestamptz not null,
  job_id uuid not null,
  attempt smallint not null,
  primary key (priority, run_at, job_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- Scheduled: waits for its time.
create table if not exists treadle_deferred (
  job_id uuid primary key,
  due_at timestamptz not null,
  since timestamptz not null,
  priority smallint not null,
  attempt smallint not null
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

create index if not exists treadle_deferred_due on treadle_deferred (due_at);

-- Processing: a node holds the lease.
create table if not exists treadle_lease (
  job_id uuid primary key,
  token bigint not null,
  node bigint not null,
  claimed_at timestamptz not null,
  attempt smallint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- Parked: waits for a node that knows how to run it.
create table if not exists treadle_parked (
  job_id uuid primary key,
  target text not null,
  known boolean not null,
  since timestamptz not null,
  priority smallint not null,
  attempt smallint not null
);

-- One row per attempt that ended and per move somebody made; event and next are codes of HistoryEntry.Event and StateName.
create table if not exists treadle_history (
  job_id uuid not null,
  token bigint not null,
  event smallint not null,
  next smallint not null,
  attempt smallint not null,
  node bigint,
  moved_by text,
  claimed_at timestamptz,
  at timestamptz not null,
  ran_micros bigint,
  error_type text,
  error_message text,
  error_trace text,
  primary key (job_id, token)
);

-- Every node that was ever seen; gone_at is null while it lives.
create table if not exists treadle_node (
  id bigint primary key,
  name text not null,
  executor text not null,
  workers integer not null,
  started_at timestamptz not null,
  beat_at timestamptz not null,
  gone_at timestamptz
) with (fillfactor = 50);
