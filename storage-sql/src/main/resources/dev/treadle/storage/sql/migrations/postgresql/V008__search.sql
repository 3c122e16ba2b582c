-- What the dashboard looks for: see docs/adr/0011-search.md. Successful attempts pay for none of it.

-- Why an attempt failed and where; the same as Failure.cause() says, and null where nothing went wrong.
alter table treadle_history add column if not exists error_cause text generated always as (
  case when error_type <> '' then
    error_type || coalesce(' at ' || substring(error_trace from '\n\tat (?!java\.|javax\.|jdk\.|sun\.)([^(\n]+)'), '')
  end) stored;

-- Failed and cancelled jobs, latest first.
create index if not exists treadle_history_ended_badly on treadle_history (next, at, job_id) where next in (4, 5);

-- Failed jobs by cause, latest first.
create index if not exists treadle_history_cause on treadle_history (error_cause, at, job_id) where next = 4;

-- What ended just now: a page range at a time, so that an insert writes nothing for it.
create index if not exists treadle_history_at on treadle_history using brin (at) with (autosummarize = on);

-- One row per operators' act, in the transaction that did it.
create table if not exists treadle_audit (
  number bigint generated always as identity primary key,
  at timestamptz not null,
  by text not null,
  action text not null,
  target text not null,
  why text,
  jobs integer not null
);
