import type { Tx } from '../../postgres/db.js';
import { chunksOf } from '../../runtime/in-slices.js';
import type { ChangeRecord, Recorder } from './create-change-log.js';
import { insertRules, type RuleAttributes, type RuleRecord, readRulesById, saveRules } from './rule-record.js';

/** One rule to write. */
export interface RuleWrite {
  /** The stored rule. Null if the rule is new. */
  before: RuleRecord | null;
  attributes: RuleAttributes;
  retired: boolean;
  action: ChangeRecord['action'];
}

/**
 * Number of rules per statement. With more, serializing and parsing their JSON would block the
 * event loop for too long.
 */
const RULES_AT_ONCE = 500;

/**
 * Writes and records rules, with a few statements for hundreds of rules. Resolves to the stored
 * rules.
 */
export async function writeRules(tx: Tx, record: Recorder, writes: readonly RuleWrite[]): Promise<RuleRecord[]> {
  const written: RuleRecord[] = [];
  for (const some of chunksOf(writes, RULES_AT_ONCE)) {
    const added = await insertRules(
      tx,
      some.filter(({ before }) => before === null).map(({ attributes }) => attributes),
    );
    const ids = some.map(({ before }) => before?.id ?? added.shift()!);
    await saveRules(
      tx,
      some.flatMap(({ before, attributes, retired }) => (before ? [{ id: before.id, rule: attributes, retired }] : [])),
    );
    const stored = new Map((await readRulesById(tx, ids)).map((rule) => [rule.id, rule]));
    const after = ids.map((id) => stored.get(id)!);
    await record(
      some.map(({ before, action }, index) => ({
        entity: 'RULE',
        key: ids[index]!,
        action,
        before,
        after: after[index]!,
      })),
    );
    written.push(...after);
  }
  return written;
}
