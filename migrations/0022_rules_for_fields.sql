-- A rule may count several fields together. Their patterns are separated by a comma and a space.
alter table rules drop constraint rules_field;
alter table rules add constraint rules_field check (
  field = '*'
  or (
    field ~ '^(\*|[_A-Za-z][_0-9A-Za-z]*)\.(\*|[_A-Za-z][_0-9A-Za-z]*)(, (\*|[_A-Za-z][_0-9A-Za-z]*)\.(\*|[_A-Za-z][_0-9A-Za-z]*))*$'
    and char_length(field) <= 50 * 258
  )
);
