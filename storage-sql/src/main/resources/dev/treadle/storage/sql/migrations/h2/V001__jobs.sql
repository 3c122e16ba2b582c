-- Cold bodies that are never updated, narrow hot tables, append-only history: see docs/adr/0002-split-layout.md.

-- Proof of each claim and place of each row in a job's history.
create sequence if not exists treadle_token;

-- The body of each job.
create table if not exists treadle_job (
  id uuid primary key,
  created_at timestamp(6) with time zone not null,
  type varchar not null,
  method varchar,
  arguments varchar not null,
  priority smallint not null,
  retries varchar
);

-- Enqueued: may run now.
create table if not exists treadle_ready (
  priority smallint not null,
  run_at timestamp(6) with time zone not null,
  job_id uuid not null,
  attempt smallint not null,
  primary key (priority, run_at, job_id)
);

-- Scheduled: waits for its time.
create table if not exists treadle_deferred (
  job_id uuid primary key,
  due_at timestamp(6) with time zone not null,
  since timestamp(6) with time zone not null,
  priority smallint not null,
  attempt smallint not null
);

create index if not exists treadle_deferred_due on treadle_deferred (due_at);

-- Processing: a node holds the lease.
create table if not exists treadle_lease (
  job_id uuid primary key,
  token bigint not null,
  node bigint not null,
  claimed_at timestamp(6) with time zone not null,
  attempt smallint not null
);

-- Parked: waits for a node that knows how to run it.
create table if not exists treadle_parked (
  job_id uuid primary key,
  target varchar not null,
  known boolean not null,
  since timestamp(6) with time zone not null,
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
  moved_by varchar,
  claimed_at timestamp(6) with time zone,
  at timestamp(6) with time zone not null,
  ran_micros bigint,
  error_type varchar,
  error_message varchar,
  error_trace varchar,
  primary key (job_id, token)
);

-- Every node that was ever seen; gone_at is null while it lives.
create table if not exists treadle_node (
  id bigint primary key,
  name varchar not null,
  executor varchar not null,
  workers integer not null,
  started_at timestamp(6) with time zone not null,
  beat_at timestamp(6) with time zone not null,
  gone_at timestamp(6) with time zone
);
