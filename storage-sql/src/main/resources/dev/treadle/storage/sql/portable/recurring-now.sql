-- recurring-now: what time it is for the database.
select current_timestamp
