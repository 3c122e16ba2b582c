-- end-leases: the first part of complete, for many: end those leases that still hold and answer them.
with ended as (
  delete from ${from:SUCCEED} where ctid = any(array(
    select held.place
      from unnest(:job_ids::uuid[], :tokens::bigint[]) as e (job_id, token) cross join lateral (
        select ctid as place from treadle_lease l where l.job_id = e.job_id and l.token = e.token offset 0) held))
  returning job_id, token, followed),
looked_at as (
  insert into treadle_gate_count (gate, ended, failed) select job_id, 0, 0 from ended where followed),
counted as (
  insert into treadle_tally (${moves:SUCCEED}) select -count(*), count(*) from ended having count(*) > 0)
select job_id, token, followed from ended
