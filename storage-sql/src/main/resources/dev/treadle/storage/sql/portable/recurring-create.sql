-- recurring-create: keep a new recurring job, if there is none of that id.
insert into treadle_recurring (
       version, type, method, arguments, priority, traits, schedule, declared, missed, missed_after, overlap, jitter,
       next_at, last_slot, last_job, awaited, status, changed_by, changed_why, changed_at, id)
values (:version, :type, :method, :arguments, :priority, :traits,
        :schedule, :declared, :missed, :missed_after, :overlap, :jitter,
        :next_at, :last_slot, :last_job, :awaited,
        :status, :changed_by, :changed_why, :changed_at, :id)
