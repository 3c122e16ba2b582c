-- retention-lock: holds the bodies of jobs against people's moves; those that somebody moves now are left for the next
-- pass.
select id, traits from treadle_job where id = any(:ids) order by id for update skip locked
