-- unpark: make parked jobs with one target ready, under the condition of parked-targets.
with back as (
  delete from treadle_parked where ctid = any(array(
    select ctid from treadle_parked
     where target = ? and (not known or since < (select started_at from treadle_node where id = ?))
     limit ? for update skip locked))
  returning priority, job_id, attempt),
counted as (
  insert into treadle_tally (parked, enqueued) select -count(*), count(*) from back having count(*) > 0)
insert into treadle_ready (priority, run_at, job_id, attempt)
select priority, now(), job_id, attempt from back
