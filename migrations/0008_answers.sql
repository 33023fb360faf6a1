-- Detail on cost and limits in the responses to callers of a tier.
alter table tiers
  add column answer text not null default 'BRIEF'
    constraint tiers_answer check (answer in ('BRIEF', 'FULL', 'NONE'));
