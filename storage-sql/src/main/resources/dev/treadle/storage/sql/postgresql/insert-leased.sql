-- insert-leased: keep new jobs that are due now, leased to a node; answers the leases of those that were not there yet.
with fresh as (
  ${part:keep-bodies}
  returning id),
counted as (
  insert into treadle_tally (${moves:START}) select count(*) from fresh having count(*) > 0)
insert into ${to:START} (job_id, token, node, claimed_at, attempt)
select id, (select nextval('treadle_token')), :node, now(), ${attempt:START} from fresh
returning job_id, token, claimed_at
