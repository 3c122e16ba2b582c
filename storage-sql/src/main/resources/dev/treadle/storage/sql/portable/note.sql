-- note: what somebody did.
insert into treadle_audit (at, done_by, action, target, why, jobs) values (current_timestamp, :by, :action, :target, :why, :jobs)
