-- now: what time it is for the database, the same throughout one transaction.
select current_timestamp
