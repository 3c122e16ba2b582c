-- All tables. Bodies that are never updated, narrow tables that change, a history that only grows: see
-- docs/adr/0002-split-layout.md. Columns named state, event and next hold the codes of StateName and HistoryEntry.Event.

-- Proof of each claim, and place of each row in a job's history.
create sequence if not exists treadle_token;

-- The place of each job in the queue of its key.
create sequence if not exists treadle_place;

-- The body of each job; traits is JSON.
create table if not exists treadle_job (
  id uuid primary key,
  created_at timestamp(6) with time zone default current_timestamp not null,
  type varchar not null,
  method varchar,
  arguments varchar not null,
  priority smallint not null,
  traits varchar
);

-- Each queue with each set of tags and resources that a job ever asked for; the other tables hold the id. See
-- docs/adr/0009-lanes.md.
create table if not exists treadle_lane (
  id smallint primary key,
  queue varchar not null,
  tags varchar not null,
  unique (queue, tags)
);

merge into treadle_lane (id, queue, tags) key (id) values (0, 'default', '[]');

-- Enqueued: may run now.
create table if not exists treadle_ready (
  priority smallint not null,
  run_at timestamp(6) with time zone default current_timestamp not null,
  job_id uuid not null,
  attempt smallint default 0 not null,
  lane smallint default 0 not null,
  primary key (lane, priority, run_at, job_id)
);

-- Scheduled: waits for its time.
create table if not exists treadle_deferred (
  job_id uuid primary key,
  due_at timestamp(6) with time zone not null,
  since timestamp(6) with time zone not null,
  priority smallint not null,
  attempt smallint not null,
  lane smallint default 0 not null
);

create index if not exists treadle_deferred_due on treadle_deferred (due_at);

-- Processing: a node holds the lease. followed is true if others were enqueued, while it runs, to run after it.
create table if not exists treadle_lease (
  job_id uuid primary key,
  token bigint not null,
  node bigint not null,
  claimed_at timestamp(6) with time zone not null,
  attempt smallint not null,
  followed boolean
);

-- Parked: waits for a node that knows how to run it.
create table if not exists treadle_parked (
  job_id uuid primary key,
  target varchar not null,
  known boolean not null,
  since timestamp(6) with time zone not null,
  priority smallint not null,
  attempt smallint not null,
  lane smallint default 0 not null
);

-- Waiting: at a gate, for other jobs to end or for an event. See docs/adr/0042-gates.md.
create table if not exists treadle_waiting (
  job_id uuid primary key,
  since timestamp(6) with time zone not null,
  priority smallint not null,
  attempt smallint not null,
  lane smallint default 0 not null
);

-- What jobs wait at, and how many of those it counts have ended; failed are those of them that have not succeeded.
-- awaited is the rule under which the waiter waits for this one, or EVENT if it waits for an event, until then.
-- need is null while there may come more. event_type is the class that the code of the waiter asks for.
create table if not exists treadle_gate (
  id uuid primary key,
  waiter uuid not null,
  name varchar not null,
  spawned bigint not null,
  need bigint,
  ended bigint not null,
  failed bigint not null,
  awaited varchar,
  cancelled_to bigint,
  until timestamp(6) with time zone,
  event_type varchar
);

create index if not exists treadle_gate_waiter on treadle_gate (waiter);
create index if not exists treadle_gate_until on treadle_gate (until);

-- Until when jobs must have ended, of those that have a deadline: see docs/adr/0051-chunks-and-deadlines.md. Rows of jobs
-- that have ended stay until then.
create table if not exists treadle_deadline (
  job_id uuid primary key,
  at timestamp(6) with time zone not null
);

create index if not exists treadle_deadline_at on treadle_deadline (at);

-- What came for jobs from outside, as JSON, until they have ended.
create table if not exists treadle_event (
  job_id uuid not null,
  name varchar not null,
  payload varchar not null,
  at timestamp(6) with time zone not null,
  primary key (job_id, name)
);

-- What has happened at gates and is not in their rows yet: one row for each gate and write.
create table if not exists treadle_gate_count (
  number bigint generated always as identity primary key,
  gate uuid not null,
  ended bigint not null,
  failed bigint not null
);

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

-- One row per attempt that ended and per operator's move.
create table if not exists treadle_history (
  job_id uuid not null,
  token bigint not null,
  event smallint not null,
  next smallint not null,
  attempt smallint not null,
  node bigint,
  moved_by varchar,
  claimed_at timestamp(6) with time zone,
  at timestamp(6) with time zone default current_timestamp not null,
  ran_micros bigint,
  error_type varchar,
  error_message varchar,
  error_trace varchar,
  primary key (job_id, token)
);

-- What the dashboard looks for, by how and when attempts ended, latest first: see docs/adr/0011-search.md. H2 has no
-- partial indexes.
create index if not exists treadle_history_ended on treadle_history (next, at desc, job_id desc);

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
);

-- Every node that was ever seen, and how it stands; gone_at is null while it lives, dead_after_micros is how long it may
-- be silent. See docs/adr/0024-judging-without-a-clock.md.
create table if not exists treadle_node (
  id bigint primary key,
  name varchar not null,
  executor varchar not null,
  workers integer not null,
  started_at timestamp(6) with time zone not null,
  beat_at timestamp(6) with time zone not null,
  gone_at timestamp(6) with time zone,
  heap_used bigint,
  heap_size bigint,
  heap_max bigint,
  cpu double precision,
  gc_millis bigint,
  threads integer,
  running integer,
  facts varchar,
  dead_after_micros bigint
);

create index if not exists treadle_node_gone on treadle_node (gone_at);

-- One row for each node and minute, written again with each heartbeat; none is older than eight days. See
-- docs/adr/0018-figures.md.
create table if not exists treadle_minute (
  at timestamp(6) with time zone not null,
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
);

-- Each queue that was ever paused, and the last move.
create table if not exists treadle_queue (
  name varchar primary key,
  paused boolean not null,
  resume_at timestamp(6) with time zone,
  moved_at timestamp(6) with time zone not null,
  moved_by varchar not null,
  why varchar
);

-- How much room each key in use has. Locked before the rows of its jobs; changed with each move of one. Jobs without a
-- key never touch these tables. See docs/adr/0010-keys.md.
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

-- Jobs with a key that hold no slot: in the queue of their key (place), waiting for their time (due_at), or parked
-- (neither).
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

-- Which job holds a unique name, and on which terms; looked at when the next job of the name comes.
create table if not exists treadle_unique (
  name varchar primary key,
  job_id uuid not null,
  while_running boolean not null,
  held_until timestamp(6) with time zone
);

-- Recurring jobs, deleted ones too, so that no code brings them back: see docs/adr/0008-recurring.md. A row is written
-- only on the condition that it has the version that was seen.
create table if not exists treadle_recurring (
  id varchar primary key,
  version bigint not null,
  type varchar not null,
  method varchar,
  arguments varchar not null,
  priority smallint not null,
  traits varchar,
  schedule varchar not null,
  declared varchar not null,
  missed varchar not null,
  missed_after bigint not null,
  overlap varchar not null,
  jitter bigint not null,
  next_at timestamp(6) with time zone,
  last_slot timestamp(6) with time zone,
  last_job uuid,
  awaited uuid,
  status varchar not null,
  changed_by varchar,
  changed_why varchar,
  changed_at timestamp(6) with time zone not null
);

create index if not exists treadle_recurring_next on treadle_recurring (next_at);
create index if not exists treadle_recurring_awaited on treadle_recurring (awaited);

-- Runs that lost their lease and may go on: their node interrupts them, and deletes the row when they have ended. This
-- and the next four tables hold what belongs to single runs, and only of jobs that use it: docs/adr/0012-control.md.
create table if not exists treadle_stop (
  job_id uuid not null,
  token bigint not null,
  node bigint not null,
  asked_at timestamp(6) with time zone not null,
  primary key (job_id, token)
);

-- How far the last run of a job is that reported progress, and its words about it as JSON.
create table if not exists treadle_progress (
  job_id uuid primary key,
  token bigint not null,
  at timestamp(6) with time zone not null,
  done bigint,
  total bigint,
  meta varchar
);

-- Lines that jobs logged, by run.
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

-- What steps of jobs returned, as JSON, and which of its fields are secret, as a JSON array of their names. See
-- docs/adr/0034-steps.md.
create table if not exists treadle_step (
  job_id uuid not null,
  name varchar not null,
  token bigint not null,
  attempt smallint not null,
  at timestamp(6) with time zone default current_timestamp not null,
  took_micros bigint not null,
  result varchar,
  secrets varchar,
  primary key (job_id, name)
);

-- Words to find jobs by.
create table if not exists treadle_label (
  job_id uuid not null,
  label varchar not null,
  primary key (job_id, label)
);

create index if not exists treadle_label_search on treadle_label (label, job_id);

-- Who deletes jobs that ended long ago, and how far the walk over all jobs has come. See docs/adr/0013-retention.md.
create table if not exists treadle_retention (
  id smallint primary key,
  node bigint not null,
  until timestamp(6) with time zone not null,
  walked uuid not null
);

insert into treadle_retention (id, node, until, walked)
select 1, 0, current_timestamp, '00000000-0000-0000-0000-000000000000'
 where not exists (select 1 from treadle_retention);

-- One row per operators' act, in the transaction that did it.
create table if not exists treadle_audit (
  number bigint generated always as identity primary key,
  at timestamp(6) with time zone not null,
  done_by varchar not null,
  action varchar not null,
  target varchar not null,
  why varchar,
  jobs integer not null
);
