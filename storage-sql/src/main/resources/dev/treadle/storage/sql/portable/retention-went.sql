-- retention-went: all jobs up to this one have been looked at.
update treadle_retention set walked = :walked where id = 1
