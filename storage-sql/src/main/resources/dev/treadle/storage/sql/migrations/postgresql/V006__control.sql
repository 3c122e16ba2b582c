-- What belongs to single runs; written only for jobs that use it. See docs/adr/0012-control.md.

-- Runs that lost their lease and may go on: their node interrupts them, and deletes the row when they have ended.
create table if not exists treadle_stop (
  job_id uuid not null,
  token bigint not null,
  node bigint not null,
  asked_at timestamptz not null,
  primary key (job_id, token)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- How far the last run of a job that said so is, and its words about it as JSON.
create table if not exists treadle_progress (
  job_id uuid primary key,
  token bigint not null,
  at timestamptz not null,
  done bigint,
  total bigint,
  meta text
) with (fillfactor = 80);

-- Lines that jobs said, by the run that said them.
create table if not exists treadle_log (
  job_id uuid not null,
  token bigint not null,
  line integer not null,
  at timestamptz not null,
  said text not null,
  primary key (job_id, token, line)
);

-- What the last successful run of a job returned, as JSON, or why that is not kept.
create table if not exists treadle_result (
  job_id uuid primary key,
  token bigint not null,
  result text,
  not_kept text
);

-- Words to find jobs by.
create table if not exists treadle_label (
  job_id uuid not null,
  label text not null,
  primary key (job_id, label)
);

create index if not exists treadle_label_search on treadle_label (label, job_id);
