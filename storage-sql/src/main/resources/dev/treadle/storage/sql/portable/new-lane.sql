-- new-lane: give a lane the lowest free id; fails if another process has just given that id or made that lane.
insert into treadle_lane (id, queue, tags)
select min(l.id) + 1, :queue, :tags from treadle_lane l
 where not exists (select 1 from treadle_lane n where n.id = l.id + 1)
