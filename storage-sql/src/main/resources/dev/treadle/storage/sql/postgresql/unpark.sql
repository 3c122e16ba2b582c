-- unpark: make parked jobs of some lanes with one target ready, under the condition of parked-targets. Those
-- that have to queue up for their key come by parked-keyed.
with back as (
  delete from ${from:UNPARK} where ctid = any(array(
    select ctid from ${from:UNPARK} p
     where target = :target and lane = any(:lanes)
       and (not known or since < (select started_at from treadle_node where id = :node))
       and not exists (select 1 from treadle_keyed k where k.job_id = p.job_id)
     limit :max for update skip locked))
  returning lane, priority, job_id, attempt),
counted as (
  insert into treadle_tally (${moves:UNPARK}) select -count(*), count(*) from back having count(*) > 0)
insert into ${to:UNPARK} (lane, priority, run_at, job_id, attempt)
select lane, priority, now(), job_id, ${attempt:UNPARK} from back
