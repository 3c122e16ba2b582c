-- hold-name: locks the row of a unique name, so that no other transaction takes or releases it.
select job_id, while_running, held_until from treadle_unique where name = :name for update
