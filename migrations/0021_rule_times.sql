-- When a rule applies: hours of the week in local time, and the first and the last moment. Null for always.
alter table rules
  add column schedule jsonb
    constraint rules_schedule check (
      schedule is null
      or coalesce(
        char_length(schedule ->> 'timeZone') between 1 and 64
          and (schedule ->> 'from') ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'
          and (schedule ->> 'to') ~ '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$'
          and (
            (schedule -> 'days') is null
            or (schedule -> 'days') <@ '["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"]'::jsonb
          ),
        false
      )
    ),
  add column active_from timestamptz,
  add column active_until timestamptz;

-- Limits of each pair of a principal and an address.
alter table rules
  drop constraint rules_scope,
  add constraint rules_scope check (scope in ('GLOBAL', 'TENANT', 'USER', 'API_KEY', 'IP', 'USER_AND_IP'));
alter table events
  drop constraint events_scope,
  add constraint events_scope check (scope in ('GLOBAL', 'TENANT', 'USER', 'API_KEY', 'IP', 'USER_AND_IP')) not valid;
