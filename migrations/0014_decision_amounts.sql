-- Objects, type cost and field cost of single decisions, for the simulation of rules that count
-- them. The list begins with three maximum values of the operation and three actual values (-1 if
-- unknown). Seven numbers follow for each field with an amount: its position in `fields`, and the
-- same six values without the fields below it. The column is null for decisions before this
-- migration. It has no constraint, because a check of the existing rows would block writers.
alter table decisions add column amounts integer[];
