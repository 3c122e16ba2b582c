-- complete: end attempts well, each only if its lease still holds; answers those that did.
-- The leases are found through their index, one by one: the table's dead rows must not be walked over.
-- "ctid = any(array(...))" and "offset 0" as in claim. Of a job that others run after, the gates of those are to be looked at.
with e as materialized (
  select * from unnest(:job_ids::uuid[], :tokens::bigint[], :ran_micros::bigint[])
    as e (job_id, token, ran_micros)),
ended as (
  delete from ${from:SUCCEED} where ctid = any(array(
    select held.place
      from e cross join lateral (
        select ctid as place from treadle_lease l where l.job_id = e.job_id and l.token = e.token offset 0) held))
  returning *),
told as (
  insert into treadle_history (job_id, token, event, next, attempt, node, claimed_at, at, ran_micros)
  select l.job_id, l.token, ${event:COMPLETED}, ${SUCCEEDED}, l.attempt, l.node, l.claimed_at, now(), e.ran_micros
    from ended l join e on e.job_id = l.job_id and e.token = l.token),
looked_at as (
  insert into treadle_gate_count (gate, ended, failed) select job_id, 0, 0 from ended where followed),
counted as (
  insert into treadle_tally (${moves:SUCCEED}) select -count(*), count(*) from ended having count(*) > 0)
select job_id, token, followed from ended
