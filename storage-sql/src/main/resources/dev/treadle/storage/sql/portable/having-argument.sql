-- having-argument: those of some jobs in whose arguments a word is found.
select id from treadle_job where id = any(:ids) and lower(arguments) like :argument
