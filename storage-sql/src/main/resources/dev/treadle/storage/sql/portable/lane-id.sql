-- lane-id: the id of one lane.
select id from treadle_lane where queue = :queue and tags = :tags
