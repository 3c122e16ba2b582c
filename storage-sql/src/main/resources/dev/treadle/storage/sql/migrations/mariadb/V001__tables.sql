-- All tables. Bodies that are never updated, narrow tables that change, a history that only grows: see
-- docs/adr/0002-split-layout.md. Ids are the sixteen bytes of a UUID, so that they are in the order of their text; times
-- are UTC. See docs/adr/0043-mariadb.md. Columns named state, event and next hold the codes of StateName and HistoryEntry.Event.

-- Proof of each claim, and place of each row in a job's history.
create sequence if not exists treadle_token;

-- The place of each job in the queue of its key.
create sequence if not exists treadle_place;

-- The body of each job; traits is JSON.
create table if not exists treadle_job (
  id binary(16) primary key,
  created_at datetime(6) not null,
  type longtext not null,
  method longtext,
  arguments longtext not null,
  priority smallint not null,
  traits longtext
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Each queue with each set of tags and resources that a job ever asked for; the other tables hold the id. See
-- docs/adr/0009-lanes.md.
create table if not exists treadle_lane (
  id smallint primary key,
  queue varchar(500) not null,
  tags longtext not null,
  tags_hash binary(32) as (unhex(sha2(tags, 256))) stored,
  unique (queue, tags_hash)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

insert ignore into treadle_lane (id, queue, tags) values (0, 'default', '[]');

-- Enqueued: may run now.
create table if not exists treadle_ready (
  priority smallint not null,
  run_at datetime(6) not null,
  job_id binary(16) not null,
  attempt smallint default 0 not null,
  lane smallint default 0 not null,
  primary key (lane, priority, run_at, job_id)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Scheduled: waits for its time.
create table if not exists treadle_deferred (
  job_id binary(16) primary key,
  due_at datetime(6) not null,
  since datetime(6) not null,
  priority smallint not null,
  attempt smallint not null,
  lane smallint default 0 not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists treadle_deferred_due on treadle_deferred (due_at);

-- Processing: a node holds the lease. followed is true if others were enqueued, while it runs, to run after it.
create table if not exists treadle_lease (
  job_id binary(16) primary key,
  token bigint not null,
  node bigint not null,
  claimed_at datetime(6) not null,
  attempt smallint not null,
  followed boolean
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Parked: waits for a node that knows how to run it.
create table if not exists treadle_parked (
  job_id binary(16) primary key,
  target longtext not null,
  known boolean not null,
  since datetime(6) not null,
  priority smallint not null,
  attempt smallint not null,
  lane smallint default 0 not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Waiting: at a gate, for other jobs to end or for an event. See docs/adr/0042-gates.md.
create table if not exists treadle_waiting (
  job_id binary(16) primary key,
  since datetime(6) not null,
  priority smallint not null,
  attempt smallint not null,
  lane smallint default 0 not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- What jobs wait at, and how many of those it counts have ended; failed are those of them that have not succeeded.
-- awaited is the rule under which the waiter waits for this one, or EVENT if it waits for an event, until then.
-- need is null while there may come more. event_type is the class that the code of the waiter asks for.
create table if not exists treadle_gate (
  id binary(16) primary key,
  waiter binary(16) not null,
  name longtext not null,
  spawned bigint not null,
  need bigint,
  ended bigint not null,
  failed bigint not null,
  awaited varchar(20),
  cancelled_to bigint,
  until datetime(6),
  event_type longtext
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists treadle_gate_waiter on treadle_gate (waiter);
create index if not exists treadle_gate_until on treadle_gate (until);

-- Until when jobs must have ended, of those that have a deadline: see docs/adr/0051-chunks-and-deadlines.md. Rows of jobs
-- that have ended stay until then.
create table if not exists treadle_deadline (
  job_id binary(16) primary key,
  at datetime(6) not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists treadle_deadline_at on treadle_deadline (at);

-- What came for jobs from outside, as JSON, until they have ended.
create table if not exists treadle_event (
  job_id binary(16) not null,
  name varchar(500) not null,
  payload longtext not null,
  at datetime(6) not null,
  primary key (job_id, name)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- What has happened at gates and is not in their rows yet: one row for each gate and write.
create table if not exists treadle_gate_count (
  number bigint auto_increment primary key,
  gate binary(16) not null,
  ended bigint not null,
  failed bigint not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists treadle_gate_count_gate on treadle_gate_count (gate);

-- Which job runs after which. outcome is the state in which the other had ended when that was last looked at, -1 if it had
-- not. See docs/adr/0049-after.md.
create table if not exists treadle_edge (
  waiter binary(16) not null,
  job_id binary(16) not null,
  outcome smallint not null,
  primary key (waiter, job_id)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists treadle_edge_job on treadle_edge (job_id, outcome);

-- One row per attempt that ended and per operator's move.
create table if not exists treadle_history (
  job_id binary(16) not null,
  token bigint not null,
  event smallint not null,
  next smallint not null,
  attempt smallint not null,
  node bigint,
  moved_by longtext,
  claimed_at datetime(6),
  at datetime(6) not null,
  ran_micros bigint,
  error_type longtext,
  error_message longtext,
  error_trace longtext,
  primary key (job_id, token)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- What the dashboard looks for, by how and when attempts ended, latest first: see docs/adr/0011-search.md. MariaDB has
-- no partial indexes.
create index if not exists treadle_history_ended on treadle_history (next, at desc, job_id desc);

-- How many jobs came into each state, less those that left it: one row for each write, folded from time to time. The
-- sum is the number of jobs. See docs/adr/0007-born-leased-and-tally.md.
create table if not exists treadle_tally (
  id bigint auto_increment primary key,
  scheduled bigint,
  enqueued bigint,
  processing bigint,
  succeeded bigint,
  failed bigint,
  cancelled bigint,
  parked bigint,
  waiting bigint
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Every node that was ever seen, and how it stands; gone_at is null while it lives, dead_after_micros is how long it may
-- be silent. See docs/adr/0024-judging-without-a-clock.md.
create table if not exists treadle_node (
  id bigint primary key,
  name longtext not null,
  executor longtext not null,
  workers integer not null,
  started_at datetime(6) not null,
  beat_at datetime(6) not null,
  gone_at datetime(6),
  heap_used bigint,
  heap_size bigint,
  heap_max bigint,
  cpu double,
  gc_millis bigint,
  threads integer,
  running integer,
  facts longtext,
  dead_after_micros bigint
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists treadle_node_gone on treadle_node (gone_at);

-- One row for each node and minute, written again with each heartbeat; none is older than eight days. See
-- docs/adr/0018-figures.md.
create table if not exists treadle_minute (
  at datetime(6) not null,
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
  cpu double not null,
  threads integer not null,
  primary key (at, node)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Each queue that was ever paused, and the last move.
create table if not exists treadle_queue (
  name varchar(500) primary key,
  paused boolean not null,
  resume_at datetime(6),
  moved_at datetime(6) not null,
  moved_by longtext not null,
  why longtext
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- How much room each key in use has. Locked before the rows of its jobs; changed with each move of one. Jobs without a
-- key never touch these tables. See docs/adr/0010-keys.md.
create table if not exists treadle_key (
  line varchar(500) primary key,
  held integer not null,
  waiting integer not null,
  at_most integer not null,
  burst integer not null,
  spacing_micros bigint not null,
  paid_at datetime(6),
  wake_at datetime(6)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists treadle_key_wake on treadle_key (wake_at);

-- Jobs with a key that hold no slot: in the queue of their key (place), waiting for their time (due_at), or parked
-- (neither).
create table if not exists treadle_keyed (
  job_id binary(16) primary key,
  line varchar(500) not null,
  line_rank smallint not null,
  place bigint,
  lane smallint not null,
  priority smallint not null,
  attempt smallint not null,
  since datetime(6) not null,
  due_at datetime(6)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists treadle_keyed_line on treadle_keyed (line, line_rank, place);
create index if not exists treadle_keyed_due on treadle_keyed (due_at);

-- Which job holds a unique name, and on which terms; looked at when the next job of the name comes.
create table if not exists treadle_unique (
  name varchar(500) primary key,
  job_id binary(16) not null,
  while_running boolean not null,
  held_until datetime(6)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Recurring jobs, deleted ones too, so that no code brings them back: see docs/adr/0008-recurring.md. A row is written
-- only on the condition that it has the version that was seen.
create table if not exists treadle_recurring (
  id varchar(500) primary key,
  version bigint not null,
  type longtext not null,
  method longtext,
  arguments longtext not null,
  priority smallint not null,
  traits longtext,
  schedule longtext not null,
  declared longtext not null,
  missed longtext not null,
  missed_after bigint not null,
  overlap longtext not null,
  jitter bigint not null,
  next_at datetime(6),
  last_slot datetime(6),
  last_job binary(16),
  awaited binary(16),
  status varchar(500) not null,
  changed_by longtext,
  changed_why longtext,
  changed_at datetime(6) not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists treadle_recurring_next on treadle_recurring (next_at);
create index if not exists treadle_recurring_awaited on treadle_recurring (awaited);

-- Runs that lost their lease and may go on: their node interrupts them, and deletes the row when they have ended. This
-- and the next four tables hold what belongs to single runs, and only of jobs that use it: docs/adr/0012-control.md.
create table if not exists treadle_stop (
  job_id binary(16) not null,
  token bigint not null,
  node bigint not null,
  asked_at datetime(6) not null,
  primary key (job_id, token)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- How far the last run of a job is that reported progress, and its words about it as JSON.
create table if not exists treadle_progress (
  job_id binary(16) primary key,
  token bigint not null,
  at datetime(6) not null,
  done bigint,
  total bigint,
  meta longtext
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Lines that jobs logged, by run.
create table if not exists treadle_log (
  job_id binary(16) not null,
  token bigint not null,
  line integer not null,
  at datetime(6) not null,
  said longtext not null,
  primary key (job_id, token, line)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- What the last successful run of a job returned, as JSON, or why that is not kept.
create table if not exists treadle_result (
  job_id binary(16) primary key,
  token bigint not null,
  result longtext,
  not_kept longtext
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- What steps of jobs returned, as JSON, and which of its fields are secret, as a JSON array of their names. See
-- docs/adr/0034-steps.md.
create table if not exists treadle_step (
  job_id binary(16) not null,
  name varchar(500) not null,
  token bigint not null,
  attempt smallint not null,
  at datetime(6) not null,
  took_micros bigint not null,
  result longtext,
  secrets longtext,
  primary key (job_id, name)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

-- Words to find jobs by.
create table if not exists treadle_label (
  job_id binary(16) not null,
  label varchar(500) not null,
  primary key (job_id, label)
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

create index if not exists treadle_label_search on treadle_label (label, job_id);

-- Who deletes jobs that ended long ago, and how far the walk over all jobs has come. See docs/adr/0013-retention.md.
create table if not exists treadle_retention (
  id smallint primary key,
  node bigint not null,
  until datetime(6) not null,
  walked binary(16) not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;

insert ignore into treadle_retention (id, node, until, walked)
values (1, 0, utc_timestamp(6), x'00000000000000000000000000000000');

-- One row per operators' act, in the transaction that did it.
create table if not exists treadle_audit (
  number bigint auto_increment primary key,
  at datetime(6) not null,
  done_by longtext not null,
  action longtext not null,
  target longtext not null,
  why longtext,
  jobs integer not null
) engine = InnoDB character set utf8mb4 collate utf8mb4_nopad_bin;
