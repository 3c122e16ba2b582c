-- What a job asks for beside its call, as JSON: its retry policy is one of several things now.
alter table treadle_job rename column retries to traits;
update treadle_job set traits = '{"retries":"' || traits || '"}' where traits is not null;
