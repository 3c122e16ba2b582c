-- candidates: due jobs of one lane in the order in which to take them. Read without a lock: see docs/adr/0003-h2.md.
select lane, priority, run_at, job_id, attempt from treadle_ready
 where lane = ? order by lane, priority, run_at, job_id limit ?
