-- candidates: due jobs in the order in which to take them. Read without a lock: see docs/adr/0003-h2.md.
select priority, run_at, job_id, attempt from treadle_ready order by priority, run_at, job_id limit ?
