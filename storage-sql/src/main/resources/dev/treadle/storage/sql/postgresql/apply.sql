-- apply: write what follows the ends of attempts, each only if its lease still holds; answers those that did.
-- What follows is decided before: a statement for all kinds, since most of them are rare. The leases are found as in complete.
with e as materialized (
  select * from unnest(:job_ids::uuid[], :tokens::bigint[], :events::smallint[], :nexts::smallint[], :attempts::smallint[],
                       :ran_micros::bigint[], :error_types::text[], :error_messages::text[], :error_traces::text[],
                       :results::text[], :reasons_not_kept::text[], :delays::bigint[], :due_sinces::timestamptz[],
                       :targets::text[], :known::boolean[], :priorities::smallint[], :lanes::smallint[])
    as e (job_id, token, event, next, attempts, ran_micros, error_type, error_message, error_trace,
          result, not_kept, delay, due_since, target, known, priority, lane)),
ended as (
  delete from treadle_lease where ctid = any(array(
    select held.place
      from e cross join lateral (
        select ctid as place from treadle_lease l where l.job_id = e.job_id and l.token = e.token offset 0) held))
  returning *),
t as materialized (
  select e.*, l.attempt, l.node, l.claimed_at from ended l join e on e.job_id = l.job_id and e.token = l.token),
told as (
  insert into treadle_history (job_id, token, event, next, attempt, node, claimed_at, at, ran_micros,
                               error_type, error_message, error_trace)
  select job_id, token, event, next, attempt, node, claimed_at, now(), ran_micros, error_type, error_message, error_trace
    from t where event is not null),
kept as (
  insert into treadle_result (job_id, token, result, not_kept)
  select job_id, token, result, not_kept from t where result is not null or not_kept is not null
  on conflict (job_id) do update
     set token = excluded.token, result = excluded.result, not_kept = excluded.not_kept),
deferred as (
  insert into treadle_deferred (job_id, due_at, since, lane, priority, attempt)
  select job_id, now() + delay * interval '1 microsecond', now(), coalesce(lane, 0), priority, attempts
    from t where delay is not null),
ready as (
  insert into treadle_ready (lane, priority, run_at, job_id, attempt)
  select coalesce(lane, 0), priority, least(due_since, claimed_at), job_id, attempts from t where due_since is not null),
parked as (
  insert into treadle_parked (job_id, target, known, since, lane, priority, attempt)
  select job_id, target, known, now(), coalesce(lane, 0), priority, attempts from t where target is not null),
looked_at as (
  insert into treadle_gate_count (gate, ended, failed) select job_id, 0, 0 from ended where followed),
over as (
  update treadle_gate g set cancelled_to = 0
    from t
   where t.next = ${FAILED} and g.waiter = t.job_id
     and (g.need is null
          or g.ended + coalesce((select sum(c.ended) from treadle_gate_count c where c.gate = g.id), 0) < g.need)
  returning g.id),
looked as (
  insert into treadle_gate_count (gate, ended, failed) select id, 0, 0 from over),
counted as (
  insert into treadle_tally (processing, scheduled, enqueued, parked, succeeded, failed)
  select -count(*), count(delay), count(due_since), count(target), count(*) filter (where next = ${SUCCEEDED}), count(*) filter (where next = ${FAILED})
    from t having count(*) > 0)
select job_id, token, followed from ended
