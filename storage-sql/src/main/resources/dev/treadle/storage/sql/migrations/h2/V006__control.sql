-- What belongs to single runs; written only for jobs that use it. See docs/adr/0012-control.md.

-- Runs that lost their lease and may go on: their node interrupts them, and deletes the row when they have ended.
create table if not exists treadle_stop (
  job_id uuid not null,
  token bigint not null,
  node bigint not null,
  asked_at timestamp(6) with time zone not null,
  primary key (job_id, token)
);

-- How far the last run of a job that said so is, and its words about it as JSON.
create table if not exists treadle_progress (
  job_id uuid primary key,
  token bigint not null,
  at timestamp(6) with time zone not null,
  done bigint,
  total bigint,
  meta varchar
);

-- Lines that jobs said, by the run that said them.
create table if not exists treadle_log (
  job_id uuid not null,
  token bigint not null,
  line integer not null,
  at timestamp(6) with time zone not null,
  said varchar not null,
  primary key (job_id, token, line)
);

-- What the last successful run of a job returned, as JSON, or why that is not kept.
create table if not exists treadle_result (
  job_id uuid primary key,
  token bigint not null,
  result varchar,
  not_kept varchar
);

-- Words to find jobs by.
create table if not exists treadle_label (
  job_id uuid not null,
  label varchar not null,
  primary key (job_id, label)
);

create index if not exists treadle_label_search on treadle_label (label, job_id);
