-- look-at-followers: the gates of those that run after a job are to be looked at, because it is deleted.
insert into treadle_gate_count (gate, ended, failed)
select g.id, 0, 0 from treadle_edge e join treadle_gate g on g.waiter = e.waiter where e.job_id = :job_id and g.awaited is not null
