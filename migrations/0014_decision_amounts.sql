-- Objects, type cost and field cost of single decisions, for trying out rules that count them.
-- Three numbers of the operation at most, and three as they came to be (-1: not known); then seven for each field that has any: its
-- place among `fields`, and the same six of the field without what is below it. Null: not recorded, as of decisions before this.
-- No constraint: to check it, every row there is would be read while no other can write.
alter table decisions add column amounts integer[];
