-- labelled: jobs with a label, newest first.
select job_id from treadle_label where label = ? and (? or job_id < ?) order by job_id desc limit ?
