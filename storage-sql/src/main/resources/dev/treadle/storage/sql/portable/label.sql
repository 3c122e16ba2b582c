-- label: a word to find a new job by.
insert into treadle_label (job_id, label) values (:job_id, :label)
