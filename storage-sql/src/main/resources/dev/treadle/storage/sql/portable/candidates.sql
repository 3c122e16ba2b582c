-- candidates: due jobs of one lane in the order in which to take them. The deletes that follow decide who has each, so no
-- lock is needed: see docs/adr/0003-h2.md. Where rows can be locked one by one, those of others are passed by.
select lane, priority, run_at, job_id, attempt from treadle_ready
 where lane = :lane order by lane, priority, run_at, job_id limit :max${skip_locked}
