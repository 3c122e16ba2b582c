-- claim: lease due jobs of one lane to a node, on a way through it that leaves out what was claimed before. Rows another
-- node is taking are skipped, not waited for. Always a row: what time it is counts also when nothing was there. The token
-- and the time are the same in all rows. run_at is null where the job came due when it was created, as nearly all do.
-- Odd forms: "ctid = any(array(select ...))" finds the locked rows again by where they are; "in (select ... limit)" is
-- sometimes planned as a scan of the whole table. "offset 0" keeps the look-up of each body a step of its own, one index
-- search per job, instead of a join with all bodies. "(select nextval(...))" is evaluated once: one token for the claim.
with due as materialized (
  select found.place
    from unnest(:priorities::smallint[], :run_ats::timestamptz[], :job_ids::uuid[], :last_priorities::smallint[])
         as way (priority, run_at, job_id, last_priority)
   cross join lateral (
     select ctid as place from ${from:CLAIM}
      where lane = :lane
        and (priority, run_at, job_id) >= (way.priority, coalesce(way.run_at, '-infinity'::timestamptz), way.job_id)
        and priority <= way.last_priority
      order by priority, run_at, job_id limit :max for update skip locked) found
   limit :max),
taken as (
  delete from ${from:CLAIM} where ctid = any(array(select place from due))
  returning priority, run_at, job_id, attempt),
leased as (
  insert into ${to:CLAIM} (job_id, token, node, claimed_at, attempt)
  select job_id, (select nextval('treadle_token')), :node, now(), ${attempt:CLAIM} from taken
  returning job_id, token, node, claimed_at, attempt),
counted as (
  insert into treadle_tally (${moves:CLAIM}) select -count(*), count(*) from leased having count(*) > 0)
select j.id, j.type, j.method, j.arguments, j.priority, j.traits, j.created_at,
       leased.attempt, nullif(taken.run_at, j.created_at) as run_at, leased.token, moment.at
  from (select now() as at) moment
  left join (
    leased
    join taken on taken.job_id = leased.job_id
   cross join lateral (select * from treadle_job where id = leased.job_id offset 0) j) on true
 order by taken.priority, taken.run_at, taken.job_id
