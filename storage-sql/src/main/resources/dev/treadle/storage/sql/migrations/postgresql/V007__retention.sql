-- Who deletes jobs that ended long ago, and up to which one all have been looked at. See docs/adr/0013-retention.md.
create table if not exists treadle_retention (
  id smallint primary key,
  node bigint not null,
  until timestamptz not null,
  walked uuid not null
);

insert into treadle_retention (id, node, until, walked)
select 1, 0, current_timestamp, '00000000-0000-0000-0000-000000000000'
 where not exists (select 1 from treadle_retention);
