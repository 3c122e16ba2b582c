-- end-stuck-copies: end the sessions of this user that have waited for the rows of a copy of ours for long: they come at once, so
-- their process stands still. No time limit of the server ends them, and what they have locked would stay locked.
select count(pg_terminate_backend(pid)) from pg_stat_activity
 where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
   and state = 'active' and wait_event = 'ClientRead' and query like '%copy %treadle\_%'
   and state_change not between now() - interval '5 seconds' and now() + interval '5 seconds'
