-- Jobs that may not all run at once, and jobs of which there shall be one: see docs/adr/0010-keys.md. Jobs with neither
-- never touch these tables.

-- The place of each job in the line of its key.
create sequence if not exists treadle_place;

-- How much room each key in use has. Locked before the rows of its jobs; changed with each move of one.
create table if not exists treadle_key (
  line varchar primary key,
  held integer not null,
  waiting integer not null,
  at_most integer not null,
  burst integer not null,
  spacing_micros bigint not null,
  paid_at timestamp(6) with time zone,
  wake_at timestamp(6) with time zone
);

create index if not exists treadle_key_wake on treadle_key (wake_at);

-- Jobs with a key that hold no slot: in the line (place), waiting for their time (due_at), or parked (neither).
create table if not exists treadle_keyed (
  job_id uuid primary key,
  line varchar not null,
  line_rank smallint not null,
  place bigint,
  lane smallint not null,
  priority smallint not null,
  attempt smallint not null,
  since timestamp(6) with time zone not null,
  due_at timestamp(6) with time zone
);

create index if not exists treadle_keyed_line on treadle_keyed (line, line_rank, place);
create index if not exists treadle_keyed_due on treadle_keyed (due_at);

-- Which job holds a unique name and under which terms; looked at when the next job of the name comes.
create table if not exists treadle_unique (
  name varchar primary key,
  job_id uuid not null,
  while_running boolean not null,
  held_until timestamp(6) with time zone
);
