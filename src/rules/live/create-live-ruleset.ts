import type { Rule } from '../../model/rule.js';
import type { Ruleset } from '../matching/ruleset.js';
import { createRulesetInForce, type RulesetSource } from './create-ruleset-in-force.js';
import { createSharedRuleset } from './create-shared-ruleset.js';
import { createSnapshotSaver, type Unsaved } from './create-snapshot-saver.js';
import type { SharedCache } from './shared-cache.js';
import type { RulesSnapshot, SnapshotFile } from './snapshot-file.js';
import { applyChanges, type ChangedRules, type StoredRules } from './stored-rules.js';

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

/**
 * The ruleset in force: one immutable snapshot after the other, never one that is not whole, and never an older one unless the database itself
 * has gone back to it.
 */
export interface LiveRuleset {
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

/** So long after a change the copies for others are written: it is made up of megabytes, and requests come first. */
const COPY_AFTER_MS = 1000;

export function createLiveRuleset(options: LiveRulesetOptions): LiveRuleset {
  const { read, readChanged, rulesInCode, snapshot, database } = options;
  const { onLoad = () => {}, onInvalid = () => {}, onSnapshotFailure = () => {} } = options;
  const inForce = createRulesetInForce({ rulesInCode, onLoad, onInvalid });
  const shared = createSharedRuleset(options.shared);
  const saver = createSnapshotSaver({ snapshot, database, onFailure: onSnapshotFailure });
  let copying: NodeJS.Timeout | undefined;

  /** Copies for the next process and for instances that start: soon, and once for many changes. */
  function copySoon(): void {
    copying ??= setTimeout(() => void copy(), COPY_AFTER_MS).unref();
  }

  async function copy(): Promise<void> {
    clearTimeout(copying);
    copying = undefined;
    const stored = inForce.last;
    if (stored === undefined || inForce.problem !== undefined) return;
    await saver.save(stored);
    await shared.write(stored, 'number');
  }

  async function load(number?: number): Promise<void> {
    const copied = await shared.read(number);
    if (copied) {
      const same = await inForce.prepare(copied);
      if (inForce.install(same, 'redis') === 'in force') return void saver.save(copied);
    }
    const before = inForce.installed;
    const { isStandby, ...found } = await read();
    const stored = await inForce.prepare(found);
    // Nothing newer was read meanwhile: then the database has gone back, to a backup or to what a failover has left of it. A
    // standby may only be behind.
    const outcome = inForce.install(stored, 'postgres', before === inForce.installed && !isStandby);
    if (outcome === 'in force') {
      void saver.save(stored);
      await shared.write(stored, 'fingerprint');
    } else if (!inForce.current) {
      throw new Error(`The stored ruleset cannot be used, and there is no earlier one: ${inForce.problem}`);
    }
  }

  return {
    current() {
      if (!inForce.current) throw new Error('No ruleset is in force yet');
      return inForce.current;
    },
    load,
    async update() {
      const base = inForce.last;
      if (!base || inForce.source === 'snapshot') return load();
      const changed = await readChanged(base.number);
      if (!changed) return load();
      if (changed.number === base.number) return;
      if (inForce.install(applyChanges(base, changed), 'postgres') === 'in force') copySoon();
    },
    async loadSnapshot() {
      const stored = await snapshot?.read();
      if (!stored) return undefined;
      if (inForce.install(stored, 'snapshot') !== 'in force') {
        throw new Error('The snapshot of the ruleset cannot be used: remove it');
      }
      return stored;
    },
    async close() {
      if (copying) await copy();
      await saver.close();
    },
    get problem() {
      return inForce.problem;
    },
    get source() {
      return inForce.source;
    },
    get unsaved() {
      return saver.unsaved;
    },
    get fingerprint() {
      return inForce.last?.fingerprint;
    },
  };
}
