import type { Rule } from '../../model/rule.js';
import type { Ruleset } from '../matching/ruleset.js';
import { createRulesetInForce, type RulesetSource } from './create-ruleset-in-force.js';
import { createSharedRuleset } from './create-shared-ruleset.js';
import { createSnapshotSaver, type Unsaved } from './create-snapshot-saver.js';
import type { SharedCache } from './shared-cache.js';
import type { RulesSnapshot, SnapshotFile } from './snapshot-file.js';
import { applyChanges, type ChangedRules, type StoredRules } from './stored-rules.js';

interface LiveRulesetOptions {
  /** Reads all tiers and rules from PostgreSQL. */
  read(): Promise<StoredRules & { isStandby: boolean }>;
  /**
   * Reads the changes after change `number`. Returns undefined if there are too many changes,
   * because a full read is then cheaper.
   */
  readChanged(number: number): Promise<ChangedRules | undefined>;
  /**
   * Rules given in code. They apply in addition to the stored rules. A stored rule replaces the
   * rule in code that has the same name.
   */
  rulesInCode: readonly Rule[];
  shared: SharedCache | undefined;
  snapshot: SnapshotFile | undefined;
  /** Returns the id of the database, for the snapshot. */
  database(): string | undefined;
  onLoad?(source: RulesetSource, ruleset: Ruleset): void;
  /**
   * Called with the problem when the stored ruleset becomes invalid, and with undefined when it is
   * valid again.
   */
  onInvalid?(problem: string | undefined): void;
  /** Called when the snapshot cannot be written. */
  onSnapshotFailure?(error: unknown): void;
}

/**
 * The ruleset in force. Each version of it is immutable. A partial ruleset never comes into force.
 * An older ruleset comes into force only if the database itself has returned to an earlier state.
 */
export interface LiveRuleset {
  /** Returns the ruleset in force. Throws before the first ruleset is loaded. */
  current(): Ruleset;
  /**
   * Problem of the stored ruleset, if it is invalid. The last valid ruleset then stays in force.
   */
  readonly problem: string | undefined;
  readonly source: RulesetSource | undefined;
  /**
   * Start, reason and latest attempt of the failure to write the snapshot. Undefined if the last
   * write succeeded, or if no snapshot is configured.
   */
  readonly unsaved: Unsaved | undefined;
  /**
   * Fingerprint of the tables at the last read, even if the ruleset was invalid. Empty if only a
   * part of the tables was read.
   */
  readonly fingerprint: string | undefined;
  /**
   * Loads the stored ruleset: a shared copy as of change `number`, else the current state of the
   * database. If it is invalid, the last valid ruleset stays in force. Rejects when the database is
   * unavailable, or when no valid ruleset exists.
   */
  load(number?: number): Promise<void>;
  /**
   * Loads the stored ruleset by reading only the changes since the last read. With 10,000 rules, a
   * full read would delay every change. An update misses writes that bypass Tollgate, so
   * `fingerprint` is unknown until the next `load`.
   */
  update(): Promise<void>;
  /**
   * Loads the snapshot that an earlier process wrote to disk, and returns it. Returns undefined if
   * there is none.
   */
  loadSnapshot(): Promise<RulesSnapshot | undefined>;
  /** Writes the copies that are still pending. */
  close(): Promise<void>;
}

/**
 * Delay between a change and the writing of its copies, in milliseconds. The copies may be
 * megabytes in size, and one write includes all changes made during the delay.
 */
const COPY_AFTER_MS = 1000;

export function createLiveRuleset(options: LiveRulesetOptions): LiveRuleset {
  const { read, readChanged, rulesInCode, snapshot, database } = options;
  const { onLoad = () => {}, onInvalid = () => {}, onSnapshotFailure = () => {} } = options;
  const inForce = createRulesetInForce({ rulesInCode, onLoad, onInvalid });
  const shared = createSharedRuleset(options.shared);
  const saver = createSnapshotSaver({ snapshot, database, onFailure: onSnapshotFailure });
  let copying: NodeJS.Timeout | undefined;

  /**
   * Schedules one write of the snapshot and the shared copy. All changes before it share this
   * write.
   */
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
    // If nothing newer was installed during the read, an older number means that the database has
    // returned to an earlier state, by a restore or a failover. A standby may merely be behind the
    // primary.
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
