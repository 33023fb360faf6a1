import { createRuleset, type Ruleset } from './match.js';
import type { SharedCache } from './redis-cache.js';
import type { RulesSnapshot, SnapshotFile } from './snapshot-file.js';
import type { Rule, Tier } from './types.js';
import { parsePolicy } from './validate.js';

/** Where a ruleset was read from. */
export type RulesetSource = 'postgres' | 'redis' | 'snapshot';

/** Tiers and rules as they are stored, unchecked, of one state of the database. */
export interface StoredRules {
  /** The latest change of a tier or rule that they include. */
  number: number;
  tiers: readonly unknown[];
  rules: readonly unknown[];
  /** Changes with every write to the tables, also with one that passed by Tollgate and has no number. */
  fingerprint: string;
}

export interface LiveRulesetOptions {
  /** Reads everything from PostgreSQL. */
  read(): Promise<StoredRules>;
  /** Those given in code: they stand beside those of the database, which replace them by name. */
  rulesInCode: readonly Rule[];
  shared: SharedCache | undefined;
  snapshot: SnapshotFile | undefined;
  /** Names the database in the snapshot. */
  database(): string | undefined;
  onLoad?(source: RulesetSource, ruleset: Ruleset): void;
  /** What is stored cannot be used; undefined: it can be again. */
  onInvalid?(problem: string | undefined): void;
  /** The snapshot could not be written. */
  onSnapshotFailure?(error: unknown): void;
}

/** The ruleset in force: one immutable snapshot after the other, never an older one, never one that is not whole. */
export interface LiveRuleset {
  /** Throws before the first is in force. */
  current(): Ruleset;
  /** What is wrong with the ruleset that is stored, while the last good one is in force. */
  readonly problem: string | undefined;
  readonly source: RulesetSource | undefined;
  /** That of the tables as they were read last, good or not. */
  readonly fingerprint: string | undefined;
  /**
   * Puts in force what is stored, read at least as of change `number`; undefined: as the database has it now. An invalid
   * ruleset leaves the last good one. Rejects when the database is away, or when there is no good one at all.
   */
  load(number?: number): Promise<void>;
  /** Puts in force what the last process has left on disk, and returns it; undefined when it left nothing. */
  loadSnapshot(): Promise<RulesSnapshot | undefined>;
}

const SHARED_KEY = 'ruleset';
const SHARED_NUMBER = 'ruleset-number';
const SHARED_MS = 3_600_000;
/** Megabytes take a while. */
const SHARED_DEADLINE_MS = 500;
const MAX_PROBLEMS_SHOWN = 5;

export function createLiveRuleset(options: LiveRulesetOptions): LiveRuleset {
  const { read, rulesInCode, shared, snapshot, database } = options;
  const { onLoad = () => {}, onInvalid = () => {}, onSnapshotFailure = () => {} } = options;
  let current: Ruleset | undefined;
  let problem: string | undefined;
  let source: RulesetSource | undefined;
  let fingerprint: string | undefined;
  const readBefore = createRememberedRules();

  function install(stored: StoredRules, from: RulesetSource): boolean {
    // What the database says replaces what the last process left, whatever the numbers.
    if (current && source !== 'snapshot' && stored.number < current.version) return true;
    const built = build({ ...stored, rules: readBefore.same(stored.rules) }, rulesInCode, readBefore.parsed);
    // A snapshot says nothing of what the database holds.
    if (from !== 'snapshot') {
      fingerprint = stored.fingerprint;
      const was = problem;
      problem = typeof built === 'string' ? built : undefined;
      if (problem !== was) onInvalid(problem);
    }
    if (typeof built === 'string') return false;
    current = built;
    source = from;
    onLoad(from, built);
    return true;
  }

  async function readShared(number: number | undefined): Promise<StoredRules | undefined> {
    // Not one that is newer than what was heard of, either: another history of the same database may have written it.
    // The number is asked for by itself: thousands of rules are not fetched only to find that they are old.
    if (number === undefined || (await shared?.get(SHARED_NUMBER)) !== String(number)) return undefined;
    const stored = parseStored(await shared?.get(SHARED_KEY, SHARED_DEADLINE_MS));
    return stored?.number === number ? stored : undefined;
  }

  function save(stored: StoredRules): void {
    const of = database();
    if (of !== undefined) snapshot?.write({ database: of, ...stored }).catch(onSnapshotFailure);
  }

  return {
    current() {
      if (!current) throw new Error('No ruleset is in force yet');
      return current;
    },
    get problem() {
      return problem;
    },
    get source() {
      return source;
    },
    get fingerprint() {
      return fingerprint;
    },
    async load(number) {
      const copy = await readShared(number);
      if (copy && install(copy, 'redis')) return save(copy);
      const stored = await read();
      if (install(stored, 'postgres')) {
        save(stored);
        // Those who are told of the change next find it there.
        await shared?.set(SHARED_KEY, JSON.stringify(stored), SHARED_MS);
        await shared?.set(SHARED_NUMBER, String(stored.number), SHARED_MS);
      } else if (!current) {
        throw new Error(`The stored ruleset cannot be used, and there is no earlier one: ${problem}`);
      }
    },
    async loadSnapshot() {
      const stored = await snapshot?.read();
      if (!stored) return undefined;
      if (!install(stored, 'snapshot')) throw new Error('The snapshot of the ruleset cannot be used: remove it');
      return stored;
    },
  };
}

/** The ruleset, or what is wrong with it. It is checked whole: half of a ruleset would be somebody's freedom. */
function build(
  { number, tiers, rules }: StoredRules,
  rulesInCode: readonly Rule[],
  known: WeakMap<object, Rule>,
): Ruleset | string {
  const parsed = parsePolicy({ tiers, rules }, known);
  if (parsed.problems) {
    const shown = parsed.problems.slice(0, MAX_PROBLEMS_SHOWN);
    const more = parsed.problems.length - shown.length;
    return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
  }
  if (parsed.tiers.length === 0) return 'tiers: expected at least one, got none';
  return createRuleset({
    tiers: parsed.tiers,
    rules: [...parsed.rules, ...beside(rulesInCode, parsed.rules, parsed.tiers)],
    version: number,
  });
}

/** The rules of the code that are not replaced, and that name a tier there is. */
function beside(rulesInCode: readonly Rule[], stored: readonly Rule[], tiers: readonly Tier[]): Rule[] {
  const names = new Set(stored.map(({ name }) => name));
  const known = new Set(tiers.map(({ name }) => name));
  return rulesInCode
    .filter(({ name }) => !names.has(name))
    .flatMap((rule) => {
      if (!rule.match.tiers?.length) return [rule];
      const left = rule.match.tiers.filter((tier) => known.has(tier));
      return left.length === 0 ? [] : [{ ...rule, match: { ...rule.match, tiers: left } }];
    });
}

function parseStored(text: string | undefined): StoredRules | undefined {
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
 * Recognises the rules that are as they were when they were read last, so that one change among 10,000 rules does not make
 * all of them be checked again: that would hold up requests for a quarter of a second.
 */
function createRememberedRules() {
  let byText = new Map<string, unknown>();
  return {
    parsed: new WeakMap<object, Rule>(),
    /** The same rules, those that are known as the objects that they were. */
    same(rules: readonly unknown[]): unknown[] {
      const next = new Map<string, unknown>();
      for (const rule of rules) {
        const text = JSON.stringify(rule);
        next.set(text, byText.get(text) ?? rule);
      }
      byText = next;
      return [...next.values()];
    },
  };
}
