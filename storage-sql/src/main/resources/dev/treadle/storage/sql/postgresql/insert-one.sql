-- insert-one: as insert, for one job, as most enqueues are: without arrays it takes a sixth less time. Nothing in it may depend on a
-- parameter's value, or PostgreSQL plans it anew each time, which costs more than that.
${part:insert-one}
select id from fresh
