-- How much the answers to a tier's callers say of cost and limits.
alter table tiers
  add column answer text not null default 'BRIEF'
    constraint tiers_answer check (answer in ('BRIEF', 'FULL', 'NONE'));
