-- recurring-advance: move recurring jobs on, each only if it has the version that was seen; answers those that had.
-- Rows that another node is moving are skipped, not waited for.
with a as materialized (
  select * from unnest(:ids::text[], :versions::bigint[], :next_ats::timestamptz[], :last_slots::timestamptz[],
                       :last_jobs::uuid[], :awaited::uuid[])
    as a (id, version, next_at, last_slot, last_job, awaited)),
mine as materialized (
  select r.id from a join treadle_recurring r on r.id = a.id and r.version = a.version
   order by r.id for update of r skip locked)
update treadle_recurring r
   set version = r.version + 1, next_at = a.next_at, last_slot = a.last_slot, last_job = a.last_job, awaited = a.awaited
  from a join mine on mine.id = a.id
 where r.id = a.id and r.version = a.version
returning r.id
