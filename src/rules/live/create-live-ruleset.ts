import type { Rule } from '../../model/rule.js';
import { createRuleset, type Ruleset } from '../matching/ruleset.js';
import { checkRules } from '../policy/check-rules.js';
import { parsePolicy } from '../policy/parse-policy.js';
import { rulesBeside } from '../policy/rules-beside.js';
import type { SharedCache } from './shared-cache.js';
import type { RulesSnapshot, SnapshotFile } from './snapshot-file.js';
import {
  applyChanges,
  type ChangedRules,
  createRuleRecognizer,
  isSameState,
  parseStored,
  type StoredRules,
} from './stored-rules.js';

/** Where a ruleset was read from. */
export type RulesetSource = 'postgres' | 'redis' | 'snapshot';

interface LiveRulesetOptions {
  /** Reads everything from PostgreSQL. */
  read(): Promise<StoredRules & { isStandby: boolean }>;
  /** Reads what was changed after change `number`; undefined: so much that all had better be read. */
  readChanged(number: number): Promise<ChangedRules | undefined>;
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

export interface Unsaved {
  sinceMs: number;
  triedMs: number;
  reason: string;
}

/**
 * The ruleset in force: one immutable snapshot after the other, never one that is not whole, and never an older one unless the database itself
 * has gone back to it.
 */
interface LiveRuleset {
  /** Throws before the first is in force. */
  current(): Ruleset;
  /** What is wrong with the ruleset that is stored, while the last good one is in force. */
  readonly problem: string | undefined;
  readonly source: RulesetSource | undefined;
  /** Since when and why the snapshot cannot be written, and when that was tried last; undefined: it was, or there is none. */
  readonly unsaved: Unsaved | undefined;
  /** That of the tables as they were read last, good or not; empty when not all of them was. */
  readonly fingerprint: string | undefined;
  /**
   * Puts in force what is stored, read at least as of change `number`; undefined: as the database has it now. An invalid
   * ruleset leaves the last good one. Rejects when the database is away, or when there is no good one at all.
   */
  load(number?: number): Promise<void>;
  /**
   * The same, by reading what was changed since the last time alone: with 10,000 rules that is what makes a change arrive
   * at once. Rows that were written past Tollgate are not among it: the fingerprint is unknown until the next `load`.
   */
  update(): Promise<void>;
  /** Puts in force what the last process has left on disk, and returns it; undefined when it left nothing. */
  loadSnapshot(): Promise<RulesSnapshot | undefined>;
  /** Writes down what is still to be. */
  close(): Promise<void>;
}

const SHARED_KEY = 'ruleset';
const SHARED_NUMBER = 'ruleset-number';
const SHARED_FINGERPRINT = 'ruleset-fingerprint';
/** So long after a change the copies for others are written: it is made up of megabytes, and requests come first. */
const COPY_AFTER_MS = 1000;
const SHARED_MS = 3_600_000;
/** Megabytes take a while. */
const SHARED_DEADLINE_MS = 500;
const MAX_PROBLEMS_SHOWN = 5;

export function createLiveRuleset(options: LiveRulesetOptions): LiveRuleset {
  const { read, readChanged, rulesInCode, shared, snapshot, database } = options;
  const { onLoad = () => {}, onInvalid = () => {}, onSnapshotFailure = () => {} } = options;
  let current: Ruleset | undefined;
  let problem: string | undefined;
  let source: RulesetSource | undefined;
  /** The state of the database that was read last, good or not. */
  let last: StoredRules | undefined;
  /** How often something was put in force. */
  let installed = 0;
  const parsed = new WeakMap<object, Rule>();
  const recognize = createRuleRecognizer();

  /** Whether `stored` is in force now, or why not: `old` when something newer is, unless it may go back. */
  function install(stored: StoredRules, from: RulesetSource, mayGoBack = false): 'in force' | 'old' | 'invalid' {
    // What the database says replaces what the last process left, whatever the numbers.
    if (current && source !== 'snapshot' && stored.number < current.version && !mayGoBack) return 'old';
    const isKnown = last !== undefined && source !== 'snapshot' && isSameState(stored, last);
    // A snapshot says nothing of what the database holds.
    if (from !== 'snapshot') last = stored;
    // Everything was looked through and nothing is new: what is bound to the ruleset in force stays bound.
    if (isKnown && problem === undefined) return 'in force';
    const built = build(stored, rulesInCode, parsed, current);
    if (from !== 'snapshot') {
      const was = problem;
      problem = typeof built === 'string' ? built : undefined;
      if (problem !== was) onInvalid(problem);
    }
    if (typeof built === 'string') return 'invalid';
    current = built;
    source = from;
    installed++;
    onLoad(from, built);
    return 'in force';
  }

  /** The same state, with the rules that are known already. */
  function known(stored: StoredRules): StoredRules {
    return last === undefined ? stored : { ...stored, rules: recognize(stored.rules, last.rules) };
  }

  async function readShared(number: number | undefined): Promise<StoredRules | undefined> {
    // Not one that is newer than what was heard of, either: another history of the same database may have written it.
    // The number is asked for by itself: thousands of rules are not fetched only to find that they are old.
    if (number === undefined || (await shared?.get(SHARED_NUMBER)) !== String(number)) return undefined;
    const stored = parseStored(await shared?.get(SHARED_KEY, SHARED_DEADLINE_MS));
    return stored?.number === number ? stored : undefined;
  }

  async function share(stored: StoredRules): Promise<void> {
    await shared?.set(SHARED_KEY, JSON.stringify(stored), SHARED_MS);
    await shared?.set(SHARED_NUMBER, String(stored.number), SHARED_MS);
    await shared?.set(SHARED_FINGERPRINT, stored.fingerprint, SHARED_MS);
  }

  /** One after the other, so that the latest one stays. */
  let saving: Promise<void> = Promise.resolve();
  let isClosed = false;
  let unsaved: Unsaved | undefined;

  function save(stored: StoredRules): Promise<void> {
    saving = saving.then(async () => {
      const of = database();
      if (of === undefined || isClosed) return;
      try {
        await snapshot?.write({ database: of, ...stored });
        unsaved = undefined;
      } catch (error) {
        const triedMs = Date.now();
        const reason = error instanceof Error ? error.message : String(error);
        unsaved = { sinceMs: unsaved?.sinceMs ?? triedMs, triedMs, reason };
        onSnapshotFailure(error);
      }
    });
    return saving;
  }

  let copying: NodeJS.Timeout | undefined;

  /** Copies for the next process and for instances that start: soon, and once for many changes. */
  function copySoon(): void {
    copying ??= setTimeout(() => void copy(), COPY_AFTER_MS).unref();
  }

  async function copy(): Promise<void> {
    clearTimeout(copying);
    copying = undefined;
    const stored = last;
    if (stored === undefined || problem !== undefined) return;
    await save(stored);
    if ((await shared?.get(SHARED_NUMBER)) !== String(stored.number)) await share(stored);
  }

  async function load(number?: number): Promise<void> {
    const copied = await readShared(number);
    if (copied) {
      const same = known(copied);
      await checkRules(same.rules, parsed);
      if (install(same, 'redis') === 'in force') return void save(copied);
    }
    const before = installed;
    const { isStandby, ...found } = await read();
    const stored = known(found);
    await checkRules(stored.rules, parsed);
    // Nothing newer was read meanwhile: then the database has gone back, to a backup or to what a failover has left of it. A
    // standby may only be behind.
    const outcome = install(stored, 'postgres', before === installed && !isStandby);
    if (outcome === 'in force') {
      void save(stored);
      // One of all instances is enough.
      if ((await shared?.get(SHARED_FINGERPRINT)) !== stored.fingerprint) await share(stored);
    } else if (!current) {
      throw new Error(`The stored ruleset cannot be used, and there is no earlier one: ${problem}`);
    }
  }

  return {
    current() {
      if (!current) throw new Error('No ruleset is in force yet');
      return current;
    },
    load,
    async update() {
      const base = last;
      if (!base || source === 'snapshot') return load();
      const changed = await readChanged(base.number);
      if (!changed) return load();
      if (changed.number === base.number) return;
      if (install(applyChanges(base, changed), 'postgres') === 'in force') copySoon();
    },
    async loadSnapshot() {
      const stored = await snapshot?.read();
      if (!stored) return undefined;
      if (install(stored, 'snapshot') !== 'in force') {
        throw new Error('The snapshot of the ruleset cannot be used: remove it');
      }
      return stored;
    },
    async close() {
      if (copying) await copy();
      // Its owner may remove the folder then.
      await saving;
      isClosed = true;
    },
    get problem() {
      return problem;
    },
    get source() {
      return source;
    },
    get unsaved() {
      return unsaved;
    },
    get fingerprint() {
      return last?.fingerprint;
    },
  };
}

/** The ruleset, or what is wrong with it. It is checked whole: half of a ruleset would be somebody's freedom. */
function build(
  { number, tiers, rules }: StoredRules,
  rulesInCode: readonly Rule[],
  known: WeakMap<object, Rule>,
  previous: Ruleset | undefined,
): Ruleset | string {
  const parsed = parsePolicy({ tiers, rules }, known);
  if (parsed.problems) {
    const shown = parsed.problems.slice(0, MAX_PROBLEMS_SHOWN);
    const more = parsed.problems.length - shown.length;
    return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
  }
  if (parsed.tiers.length === 0) return 'tiers: expected at least one, got none';
  const inForce = [...parsed.rules, ...rulesBeside(rulesInCode, parsed.rules, parsed.tiers)];
  return createRuleset({ tiers: parsed.tiers, rules: inForce, version: number }, previous);
}
