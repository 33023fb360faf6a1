import type { Rule } from '../../model/rule.js';
import type { UserError } from '../../rules/store/outcome.js';
import type { RuleFilter, RuleRecord } from '../../rules/store/rule-rows.js';
import type { RulesStore } from '../../rules/store/rules-store.js';

/** The rules of the code of the process that answers: shown beside those that are stored, and read only here. */
export interface RulesInCode {
  /** Those with these keys, in no order. One whose name a stored rule has is not in force, and not shown. */
  byKey(keys: readonly string[]): Promise<RuleRecord[]>;
  byName(names: readonly string[]): Promise<RuleRecord[]>;
  /** Those that the filter is for, each with its place, which is behind all stored rules. */
  list(filter: RuleFilter): Promise<{ place: number; rule: RuleRecord }[]>;
  /** Why a change of the rule is refused; undefined where it is none of these. */
  refusalOf(reference: { key?: string | undefined; name?: string | undefined }): UserError | undefined;
}

const PREFIX = 'code:';
/** No id of a stored rule comes near, and a cursor holds it. */
const FIRST_PLACE = 10 ** 14;

/** Whether a key is that of a rule in code: those of stored rules are numbers. */
export function isKeyOfCode(key: string): boolean {
  return key.startsWith(PREFIX);
}

/** @param since when the process learnt of them */
export function createRulesInCode(
  { rules, since }: { rules: readonly Rule[]; since: Date },
  store: Pick<RulesStore, 'rulesByName'>,
): RulesInCode {
  const records = rules.map((rule): RuleRecord => {
    const bookkeeping = { version: 1, createdAt: since, updatedAt: since, retiredAt: null };
    return { ...rule, ...bookkeeping, id: PREFIX + rule.name };
  });
  const byName = new Map(records.map((record) => [record.name, record]));

  async function inForce(some: readonly RuleRecord[]): Promise<RuleRecord[]> {
    if (some.length === 0) return [];
    const replaced = new Set((await store.rulesByName(some.map(({ name }) => name))).map(({ name }) => name));
    return some.filter(({ name }) => !replaced.has(name));
  }

  return {
    byKey: (keys) => inForce(records.filter(({ id }) => keys.includes(id))),
    byName: (names) => inForce(names.flatMap((name) => byName.get(name) ?? [])),
    async list(filter) {
      const places = new Map(records.map((record, index) => [record, FIRST_PLACE + index]));
      const found = await inForce(records.filter((record) => fits(record, filter)));
      return found.map((rule) => ({ place: places.get(rule)!, rule }));
    },
    refusalOf({ key, name }) {
      const named = key === undefined ? byName.get(name ?? '') : records.find(({ id }) => id === key);
      if (!named) return undefined;
      const message = `${named.name} is defined in code, in the \`rules\` that the server which answers is started with: change it there, or create a rule of its name, which takes its place`;
      return { code: 'DEFINED_IN_CODE', field: [key === undefined ? 'name' : 'id'], message };
    },
  };
}

function fits(rule: RuleRecord, { retired = false, mode, scope, field, tier, nameContains }: RuleFilter): boolean {
  return (
    !retired &&
    (mode === undefined || rule.mode === mode) &&
    (scope === undefined || rule.scope === scope) &&
    (field === undefined || rule.field === field) &&
    (tier === undefined || (rule.match.tiers ?? []).includes(tier)) &&
    (nameContains === undefined || rule.name.toLowerCase().includes(nameContains.toLowerCase()))
  );
}
