-- new-lane: give a lane the next id; fails if another process has just given that id or made that lane.
insert into treadle_lane (id, queue, tags) select max(id) + 1, ?, ? from treadle_lane
