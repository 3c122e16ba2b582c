-- claim: lease due jobs of one lane to a node, from a position in it on. Rows another node is taking are skipped, not
-- waited for.
with due as materialized (
  select ctid as place from treadle_ready
   where lane = ? and (priority, run_at, job_id) >= (?::smallint, ?::timestamptz, ?::uuid)
   order by priority, run_at, job_id limit ? for update skip locked),
taken as (
  delete from treadle_ready where ctid = any(array(select place from due))
  returning priority, run_at, job_id, attempt),
leased as (
  insert into treadle_lease (job_id, token, node, claimed_at, attempt)
  select job_id, (select nextval('treadle_token')), ?, now(), attempt + 1 from taken
  returning job_id, token, node, claimed_at, attempt),
counted as (
  insert into treadle_tally (enqueued, processing) select -count(*), count(*) from leased having count(*) > 0)
select j.id, j.type, j.method, j.arguments, j.priority, j.traits, j.created_at,
       leased.attempt, leased.token, leased.node, leased.claimed_at, taken.run_at
  from leased
  join taken on taken.job_id = leased.job_id
 cross join lateral (select * from treadle_job where id = leased.job_id offset 0) j
 order by taken.priority, taken.run_at, taken.job_id
