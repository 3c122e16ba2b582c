-- What new jobs that are due now have in common, for those who bring them without a statement of their own (COPY): the
-- database's time, as everywhere. Changes no row.
alter table treadle_job alter column created_at set default now();
alter table treadle_ready alter column run_at set default now();
alter table treadle_ready alter column attempt set default 0;
alter table treadle_history alter column at set default now();
