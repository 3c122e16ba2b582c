-- retention-walked: up to which job all have been looked at, and what time it is.
select walked, current_timestamp from treadle_retention where id = 1
