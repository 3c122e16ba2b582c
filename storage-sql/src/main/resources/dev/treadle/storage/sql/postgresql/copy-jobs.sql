-- copy-jobs: bodies of new jobs, created now.
copy treadle_job (id, type, method, arguments, priority, traits) from stdin (format binary)
