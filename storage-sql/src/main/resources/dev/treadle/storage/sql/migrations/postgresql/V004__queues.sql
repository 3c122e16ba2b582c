-- Lanes and pauses: see docs/adr/0009-lanes.md.

-- Each queue with each set of tags that a job ever asked for; ids are what the hot tables hold.
create table if not exists treadle_lane (
  id smallint primary key,
  queue text not null,
  tags text not null,
  unique (queue, tags)
);

insert into treadle_lane (id, queue, tags) values (0, 'default', '[]') on conflict do nothing;

-- Each queue that was ever paused, and the last move.
create table if not exists treadle_queue (
  name text primary key,
  paused boolean not null,
  resume_at timestamptz,
  moved_at timestamptz not null,
  moved_by text not null,
  why text
);

-- Two bytes that fall into padding, in the row and in its index entry.
alter table treadle_ready add column if not exists lane smallint not null default 0;
alter table treadle_ready drop constraint treadle_ready_pkey;
alter table treadle_ready add primary key (lane, priority, run_at, job_id);
alter table treadle_deferred add column if not exists lane smallint not null default 0;
alter table treadle_parked add column if not exists lane smallint not null default 0;
