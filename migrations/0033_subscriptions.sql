-- Limits on open subscriptions, and what happens to an event that a limit denies.
alter table rules drop constraint rules_measure;
alter table rules add constraint rules_measure
  check (measure in ('COST', 'CALLS', 'REQUESTS', 'NODES', 'TYPE_COST', 'FIELD_COST', 'SUBSCRIPTIONS'));
alter table rules
  add column on_event_denied text not null default 'COMPLETE'
    constraint rules_on_event_denied check (on_event_denied in ('COMPLETE', 'DROP', 'PAUSE'));
