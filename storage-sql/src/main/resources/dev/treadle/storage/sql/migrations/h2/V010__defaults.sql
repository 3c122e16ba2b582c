-- What new jobs that are due now have in common, so that both databases have the same tables.
alter table treadle_job alter column created_at set default current_timestamp;
alter table treadle_ready alter column run_at set default current_timestamp;
alter table treadle_ready alter column attempt set default 0;
alter table treadle_history alter column at set default current_timestamp;
