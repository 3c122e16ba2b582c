-- Lanes and pauses: see docs/adr/0009-lanes.md.

-- Each queue with each set of tags that a job ever asked for; ids are what the hot tables hold.
create table if not exists treadle_lane (
  id smallint primary key,
  queue varchar not null,
  tags varchar not null,
  unique (queue, tags)
);

merge into treadle_lane (id, queue, tags) key (id) values (0, 'default', '[]');

-- Each queue that was ever paused, and the last move.
create table if not exists treadle_queue (
  name varchar primary key,
  paused boolean not null,
  resume_at timestamp(6) with time zone,
  moved_at timestamp(6) with time zone not null,
  moved_by varchar not null,
  why varchar
);

alter table treadle_ready add column if not exists lane smallint default 0 not null;
alter table treadle_deferred add column if not exists lane smallint default 0 not null;
alter table treadle_parked add column if not exists lane smallint default 0 not null;

-- The old key has a name that H2 chose, and may be gone if this is applied for the second time.
execute immediate (
  select coalesce(max('alter table treadle_ready drop constraint ' || quote_ident(constraint_name)), 'set @no_old_key = true')
    from information_schema.table_constraints
   where table_schema = current_schema and upper(table_name) = 'TREADLE_READY' and constraint_type = 'PRIMARY KEY'
     and upper(constraint_name) <> 'TREADLE_READY_ORDER');
alter table treadle_ready add constraint if not exists treadle_ready_order primary key (lane, priority, run_at, job_id);
