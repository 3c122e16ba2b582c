-- insert-one-leased: as insert-leased, for one job and without arrays, as insert-one.
with fresh as (
  ${part:keep-body}
  returning id),
counted as (
  insert into treadle_tally (${moves:START}) select 1 from fresh)
insert into ${to:START} (job_id, token, node, claimed_at, attempt)
select id, nextval('treadle_token'), :node, now(), ${attempt:START} from fresh
returning job_id, token, claimed_at
