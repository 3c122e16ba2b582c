-- hold-name: who holds a unique name; nobody else may take or give it meanwhile.
select job_id, while_running, held_until from treadle_unique where name = ? for update
