-- line-heads: the first so many of the line of a locked key.
select line, job_id, lane, priority, attempt from treadle_keyed
 where line = :line and place is not null order by line_rank, place limit :free
