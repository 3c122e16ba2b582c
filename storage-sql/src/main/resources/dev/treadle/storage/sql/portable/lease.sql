-- lease: a node holds one job.
insert into treadle_lease (job_id, token, node, claimed_at, attempt)
values (:job_id, :token, :node, current_timestamp, :attempt)
