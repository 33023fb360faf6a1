/** Tiers and rules as they are stored, unchecked, of one state of the database. */
export interface StoredRules {
  /** The latest change of a tier or rule that they include. */
  number: number;
  tiers: readonly unknown[];
  /** By their ids. */
  rules: readonly unknown[];
  /**
   * Changes with every write to the tables, also with one that passed by Tollgate and has no number. Empty: it is not
   * known, because not all of the tables was read.
   */
  fingerprint: string;
}

/** What of one state of the database differs from an earlier one. */
export interface ChangedRules {
  /** The latest change of a tier or rule. */
  number: number;
  /** All of them: they are few. */
  tiers: readonly unknown[];
  /** The ids of the rules that were written. */
  written: readonly string[];
  /** Those of them that are in use. */
  rules: readonly unknown[];
}

/** The state that comes of an earlier one and everything that was changed since. What was not is the same objects. */
export function applyChanges(base: StoredRules, { number, tiers, written, rules }: ChangedRules): StoredRules {
  const gone = new Set(written);
  const kept = base.rules.filter((rule) => !gone.has(idOf(rule)));
  // In the order in which the whole of it is read: a rule that was put back into use is not the newest.
  const all = [...kept, ...rules].sort((a, b) => Number(idOf(a)) - Number(idOf(b)));
  return { number, tiers, rules: all, fingerprint: '' };
}

/** Whether both say the same; rules that are equal have to be the same objects. */
export function isSameState(one: StoredRules, other: StoredRules): boolean {
  return (
    one.number === other.number &&
    one.rules.length === other.rules.length &&
    one.rules.every((rule, index) => rule === other.rules[index]) &&
    JSON.stringify(one.tiers) === JSON.stringify(other.tiers)
  );
}

/** What another instance or process has written down; undefined when it is rubbish. */
export function parseStored(text: string | undefined): StoredRules | undefined {
  if (text === undefined) return undefined;
  try {
    const { number, tiers, rules, fingerprint } = JSON.parse(text) as Partial<StoredRules>;
    if (typeof number !== 'number' || typeof fingerprint !== 'string') return undefined;
    return Array.isArray(tiers) && Array.isArray(rules) ? { number, tiers, rules, fingerprint } : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Recognises the rules that are as they were when they were read last, so that what was worked out of them is not worked
 * out again: to check 10,000 rules would hold up requests for a quarter of a second.
 */
export function createRuleRecognizer() {
  const texts = new WeakMap<object, string>();

  function textOf(rule: unknown): string {
    if (typeof rule !== 'object' || rule === null) return JSON.stringify(rule);
    const known = texts.get(rule);
    if (known !== undefined) return known;
    const text = JSON.stringify(rule);
    texts.set(rule, text);
    return text;
  }

  /** The same rules; those that stand among `known` as the objects that they are there. */
  return (rules: readonly unknown[], known: readonly unknown[]): unknown[] => {
    const byText = new Map(known.map((rule) => [textOf(rule), rule]));
    return rules.map((rule) => byText.get(textOf(rule)) ?? rule);
  };
}

function idOf(rule: unknown): string {
  return typeof rule === 'object' && rule !== null && 'id' in rule ? String(rule.id) : '';
}
