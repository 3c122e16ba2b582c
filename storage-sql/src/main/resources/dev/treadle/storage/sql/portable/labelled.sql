-- labelled: jobs with a label, newest first.
select job_id from treadle_label where label = :label and (:newest or job_id < :before) order by job_id desc limit :max
