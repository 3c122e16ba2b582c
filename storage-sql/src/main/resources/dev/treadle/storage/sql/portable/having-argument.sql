-- having-argument: those of some jobs in whose arguments a word is found.
select id from treadle_job where id = any(?) and lower(arguments) like ?
