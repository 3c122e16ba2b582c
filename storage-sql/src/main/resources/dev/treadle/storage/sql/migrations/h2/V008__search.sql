-- What the dashboard looks for: see docs/adr/0011-search.md.

-- By how and when attempts ended, latest first; H2 has no partial indexes.
create index if not exists treadle_history_ended on treadle_history (next, at desc, job_id desc);

-- One row per operators' act, in the transaction that did it.
create table if not exists treadle_audit (
  number bigint generated always as identity primary key,
  at timestamp(6) with time zone not null,
  by varchar not null,
  action varchar not null,
  target varchar not null,
  why varchar,
  jobs integer not null
);
