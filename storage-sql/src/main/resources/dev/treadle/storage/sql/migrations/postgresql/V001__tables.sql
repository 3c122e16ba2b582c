-- All tables. Bodies that are never updated, narrow tables that change, a history that only grows: see
-- docs/adr/0002-split-layout.md. Columns named state, event and next hold the codes of StateName and HistoryEntry.Event.

-- Proof of each claim, and place of each row in a job's history.
create sequence if not exists treadle_token;

-- The place of each job in the queue of its key.
create sequence if not exists treadle_place;

-- The body of each job; traits is JSON.
create table if not exists treadle_job (
  id uuid primary key,
  created_at timestamptz not null default now(),
  type text not null,
  method text,
  arguments text not null,
  priority smallint not null,
  traits text
);

-- Each queue with each set of tags and resources that a job ever asked for; the other tables hold the id. See
-- docs/adr/0009-lanes.md.
create table if not exists treadle_lane (
  id smallint primary key,
  queue text not null,
  tags text not null,
  unique (queue, tags)
);

insert into treadle_lane (id, queue, tags) values (0, 'default', '[]') on conflict do nothing;

-- Enqueued: may run now.
create table if not exists treadle_ready (
  priority smallint not null,
  run_at timestamptz not null default now(),
  job_id uuid not null,
  attempt smallint not null default 0,
  lane smallint not null default 0,
  primary key (lane, priority, run_at, job_id)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- Scheduled: waits for its time.
create table if not exists treadle_deferred (
  job_id uuid primary key,
  due_at timestamptz not null,
  since timestamptz not null,
  priority smallint not null,
  attempt smallint not null,
  lane smallint not null default 0
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

create index if not exists treadle_deferred_due on treadle_deferred (due_at);

-- Processing: a node holds the lease. followed is true if others were enqueued, while it runs, to run after it.
create table if not exists treadle_lease (
  job_id uuid primary key,
  token bigint not null,
  node bigint not null,
  claimed_at timestamptz not null,
  attempt smallint not null,
  followed boolean
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

-- Parked: waits for a node that knows how to run it.
create table if not exists treadle_parked (
  job_id uuid primary key,
  target text not null,
  known boolean not null,
  since timestamptz not null,
  priority smallint not null,
  attempt smallint not null,
  lane smallint not null default 0
);

-- Waiting: at a gate, for other jobs to end or for an event. See docs/adr/0042-gates.md.
create table if not exists treadle_waiting (
  job_id uuid primary key,
  since timestamptz not null,
  priority smallint not null,
  attempt smallint not null,
  lane smallint not null default 0
);

-- What jobs wait at, and how many of those it counts have ended; failed are those of them that have not succeeded.
-- awaited is the rule under which the waiter waits for this one, or EVENT if it waits for an event, until then.
-- need is null while there may come more. event_type is the class that the code of the waiter asks for.
create table if not exists treadle_gate (
  id uuid primary key,
  waiter uuid not null,
  name text not null,
  spawned bigint not null,
  need bigint,
  ended bigint not null,
  failed bigint not null,
  awaited text,
  cancelled_to bigint,
  until timestamptz,
  event_type text
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

create index if not exists treadle_gate_waiter on treadle_gate (waiter);
create index if not exists treadle_gate_until on treadle_gate (until) where until is not null;

-- Until when jobs must have ended, of those that have a deadline: see docs/adr/0051-chunks-and-deadlines.md. Rows of jobs
-- that have ended stay until then.
create table if not exists treadle_deadline (
  job_id uuid primary key,
  at timestamptz not null
);

create index if not exists treadle_deadline_at on treadle_deadline (at);

-- What came for jobs from outside, as JSON, until they have ended.
create table if not exists treadle_event (
  job_id uuid not null,
  name text not null,
  payload text not null,
  at timestamptz not null,
  primary key (job_id, name)
);

-- What has happened at gates and is not in their rows yet: one row for each gate and write.
create table if not exists treadle_gate_count (
  number bigint generated always as identity primary key,
  gate uuid not null,
  ended bigint not null,
  failed bigint not null
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

create index if not exists treadle_gate_count_gate on treadle_gate_count (gate);

-- Which job runs after which. outcome is the state in which the other had ended when that was last looked at, -1 if it had
-- not. See docs/adr/0049-after.md.
create table if not exists treadle_edge (
  waiter uuid not null,
  job_id uuid not null,
  outcome smallint not null,
  primary key (waiter, job_id)
);

create index if not exists treadle_edge_job on treadle_edge (job_id, outcome);

-- One row per attempt that ended and per operator's move. error_cause says why an attempt failed and where, as
-- Failure.cause() does, and is null where nothing went wrong.
create table if not exists treadle_history (
  job_id uuid not null,
  token bigint not null,
  event smallint not null,
  next smallint not null,
  attempt smallint not null,
  node bigint,
  moved_by text,
  claimed_at timestamptz,
  at timestamptz not null default now(),
  ran_micros bigint,
  error_type text,
  error_message text,
  error_trace text,
  error_cause text generated always as (
    case when error_type <> '' then
      error_type || coalesce(' at ' || substring(error_trace from '\n\tat (?!java\.|javax\.|jdk\.|sun\.)([^(\n]+)'), '')
    end) stored,
  primary key (job_id, token)
);

-- What the dashboard looks for; successful attempts pay for none of it. See docs/adr/0011-search.md. Failed and
-- cancelled jobs, latest first; failed jobs by cause; and what ended just now, a page range at a time.
create index if not exists treadle_history_ended_badly on treadle_history (next, at, job_id) where next in (4, 5);
create index if not exists treadle_history_cause on treadle_history (error_cause, at, job_id) where next = 4;
create index if not exists treadle_history_at on treadle_history using brin (at) with (autosummarize = on);

-- How many jobs came into each state, less those that left it: one row for each write, folded from time to time. The
-- sum is the number of jobs. See docs/adr/0007-born-leased-and-tally.md.
create table if not exists treadle_tally (
  scheduled bigint,
  enqueued bigint,
  processing bigint,
  succeeded bigint,
  failed bigint,
  cancelled bigint,
  parked bigint,
  waiting bigint
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

-- Every node that was ever seen, and how it stands; gone_at is null while it lives, dead_after_micros is how long it may
-- be silent. See docs/adr/0024-judging-without-a-clock.md.
create table if not exists treadle_node (
  id bigint primary key,
  name text not null,
  executor text not null,
  workers integer not null,
  started_at timestamptz not null,
  beat_at timestamptz not null,
  gone_at timestamptz,
  heap_used bigint,
  heap_size bigint,
  heap_max bigint,
  cpu double precision,
  gc_millis bigint,
  threads integer,
  running integer,
  facts text,
  dead_after_micros bigint
) with (fillfactor = 50);

create index if not exists treadle_node_living on treadle_node (id) where gone_at is null;
create index if not exists treadle_node_gone on treadle_node (gone_at) where gone_at is not null;

-- One row for each node and minute, written again with each heartbeat; none is older than eight days. See
-- docs/adr/0018-figures.md.
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

-- Each queue that was ever paused, and the last move.
create table if not exists treadle_queue (
  name text primary key,
  paused boolean not null,
  resume_at timestamptz,
  moved_at timestamptz not null,
  moved_by text not null,
  why text
);

-- How much room each key in use has. Locked before the rows of its jobs; changed with each move of one. Jobs without a
-- key never touch these tables. See docs/adr/0010-keys.md.
create table if not exists treadle_key (
  line text collate "C" primary key,
  held integer not null,
  waiting integer not null,
  at_most integer not null,
  burst integer not null,
  spacing_micros bigint not null,
  paid_at timestamptz,
  wake_at timestamptz
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0);

create index if not exists treadle_key_wake on treadle_key (wake_at) where wake_at is not null;

-- Jobs with a key that hold no slot: in the queue of their key (place), waiting for their time (due_at), or parked
-- (neither).
create table if not exists treadle_keyed (
  job_id uuid primary key,
  line text collate "C" not null,
  line_rank smallint not null,
  place bigint,
  lane smallint not null,
  priority smallint not null,
  attempt smallint not null,
  since timestamptz not null,
  due_at timestamptz
);

create index if not exists treadle_keyed_line on treadle_keyed (line, line_rank, place) where place is not null;
create index if not exists treadle_keyed_due on treadle_keyed (due_at) where due_at is not null;

-- Which job holds a unique name, and on which terms; looked at when the next job of the name comes.
create table if not exists treadle_unique (
  name text collate "C" primary key,
  job_id uuid not null,
  while_running boolean not null,
  held_until timestamptz
);

-- Recurring jobs, deleted ones too, so that no code brings them back: see docs/adr/0008-recurring.md. A row is written
-- only on the condition that it has the version that was seen.
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

-- Runs that lost their lease and may go on: their node interrupts them, and deletes the row when they have ended. This
-- and the next four tables hold what belongs to single runs, and only of jobs that use it: docs/adr/0012-control.md.
create table if not exists treadle_stop (
  job_id uuid not null,
  token bigint not null,
  node bigint not null,
  asked_at timestamptz not null,
  primary key (job_id, token)
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);

-- How far the last run of a job is that reported progress, and its words about it as JSON.
create table if not exists treadle_progress (
  job_id uuid primary key,
  token bigint not null,
  at timestamptz not null,
  done bigint,
  total bigint,
  meta text
) with (fillfactor = 80);

-- Lines that jobs logged, by run.
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

-- What steps of jobs returned, as JSON, and which of its fields are secret, as a JSON array of their names. See
-- docs/adr/0034-steps.md.
create table if not exists treadle_step (
  job_id uuid not null,
  name text not null,
  token bigint not null,
  attempt smallint not null,
  at timestamptz default now() not null,
  took_micros bigint not null,
  result text,
  secrets text,
  primary key (job_id, name)
);

-- Words to find jobs by.
create table if not exists treadle_label (
  job_id uuid not null,
  label text not null,
  primary key (job_id, label)
);

create index if not exists treadle_label_search on treadle_label (label, job_id);

-- Who deletes jobs that ended long ago, and how far the walk over all jobs has come. See docs/adr/0013-retention.md.
create table if not exists treadle_retention (
  id smallint primary key,
  node bigint not null,
  until timestamptz not null,
  walked uuid not null
);

insert into treadle_retention (id, node, until, walked)
select 1, 0, current_timestamp, '00000000-0000-0000-0000-000000000000'
 where not exists (select 1 from treadle_retention);

-- One row per operators' act, in the transaction that did it.
create table if not exists treadle_audit (
  number bigint generated always as identity primary key,
  at timestamptz not null,
  done_by text not null,
  action text not null,
  target text not null,
  why text,
  jobs integer not null
);
