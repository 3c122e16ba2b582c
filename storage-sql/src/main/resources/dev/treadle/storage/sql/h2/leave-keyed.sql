-- leave-keyed: take one job out of treadle_keyed; answers its attempt, and whether it was in the line or parked.
select attempt, place is not null, place is null and due_at is null
  from old table (delete from treadle_keyed where job_id = ?)
