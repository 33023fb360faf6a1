import type { Tx } from '../../postgres/db.js';
import type { Actor, ChangeLog, Recorder } from './create-change-log.js';
import { type Outcome, rejected, type UserError } from './outcome.js';

/**
 * Returns the error if an edit expects a version that differs from the stored one. Returns
 * undefined if the versions match, or if no version is expected.
 */
export function staleVersion(
  kind: 'rule' | 'tier' | 'subject' | 'API key',
  current: { version: number } | null,
  expected: number | undefined,
): UserError | undefined {
  if (expected === undefined || expected === current?.version) return undefined;
  const is = current ? `it is at ${current.version}` : 'it is not stored';
  const message = `the ${kind} was changed by another request: expected version ${expected}, ${is}`;
  return { code: 'STALE_VERSION', field: ['expectedVersion'], message };
}

interface EditedRow<Row> {
  kind: 'rule' | 'tier' | 'subject' | 'API key';
  actor: Actor;
  comment: string | null | undefined;
  locks?: 'BOTH';
  expectedVersion: number | undefined;
  read(tx: Tx): Promise<Row | null>;
  /** Returns the error for a row that does not exist. */
  missing(tx: Tx): UserError | Promise<UserError>;
}

/**
 * Edits a stored row in one transaction with its change record. The edit fails if the row is
 * missing or does not have the expected version.
 */
export function editRow<Row extends { version: number }>(
  changes: Pick<ChangeLog, 'write'>,
  { kind, actor, comment, locks, expectedVersion, read, missing }: EditedRow<Row>,
  edit: (before: Row, tx: Tx, record: Recorder) => Promise<Outcome<Row>>,
): Promise<Outcome<Row>> {
  return changes.write<Outcome<Row>>({ actor, comment, ...(locks && { locks }) }, async (tx, record) => {
    const before = await read(tx);
    if (!before) return rejected([await missing(tx)]);
    const stale = staleVersion(kind, before, expectedVersion);
    return stale ? rejected([stale], before) : edit(before, tx, record);
  });
}
