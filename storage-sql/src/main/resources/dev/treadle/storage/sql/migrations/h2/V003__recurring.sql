-- Recurring jobs, deleted ones too, so that no code brings them back: see docs/adr/0008-recurring.md.
-- A row is only ever written by whoever saw its present version.
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
