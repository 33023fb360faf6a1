import { principalOf } from '../../model/subject.js';
import type { RecordedSubject, UsageRecord } from '../../model/usage-record.js';
import { keptName, MAX_NAME_BYTES } from '../../runtime/stored-text.js';
import { createNewNames } from './create-new-names.js';
import { endOf, isAnotherWindow } from './is-another-window.js';
import type { UsageOperationType, UsageSubjectKind } from './usage-levels.js';

/** The charged caller: the user, else the API key, else the address. */
export interface UsageSubject {
  /** Id of the tenant. '' stands for none. */
  tenant: string;
  kind: UsageSubjectKind;
  name: string;
}

export interface UsageOperation {
  type: UsageOperationType;
  /** Name of the operation. '' stands for none. */
  name: string;
}

export interface CardinalityOptions {
  /**
   * Maximum number of operation names that are counted separately per minute. Callers choose these
   * names.
   */
  maxOperationNames: number;
  /**
   * Maximum number of new operation names per hour that are counted separately. A name is new if it
   * was not counted separately recently.
   */
  newOperationNamesPerHour: number;
  /**
   * Maximum number of addresses without a user or API key that are counted separately per minute.
   */
  maxAddresses: number;
}

/**
 * Decides which operations and callers are counted separately. All others are counted together, as
 * OTHER.
 */
interface CardinalityBounds {
  /**
   * Starts a new minute if the operation ends in another minute than the previous one. Call it
   * first, once per operation.
   */
  beginMinute(record: UsageRecord): void;
  operationOf(record: UsageRecord): UsageOperation;
  subjectOf(subject: RecordedSubject): UsageSubject;
  /** Marks names of operations as known. The last names of the list are remembered longest. */
  knowNames(names: readonly string[]): void;
}

const MINUTE_MS = 60_000;
export const OTHER_SUBJECT: UsageSubject = { tenant: '', kind: 'OTHER', name: '' };
export const OTHER_OPERATION: UsageOperation = { type: 'OTHER', name: '' };

/**
 * Creates the bounds for the current minute. They apply to the entire minute, even if its counts
 * are stored in several parts.
 */
export function createCardinalityBounds({
  maxOperationNames,
  maxAddresses,
  newOperationNamesPerHour,
}: CardinalityOptions): CardinalityBounds {
  const newNames = createNewNames({ perHour: newOperationNamesPerHour });
  let endMinute = Number.NaN;
  let operationNames = new Set<string>();
  let addresses = new Set<string>();

  return {
    beginMinute(record) {
      const minute = Math.floor(endOf(record) / MINUTE_MS);
      if (!isAnotherWindow(minute, endMinute)) return;
      endMinute = minute;
      operationNames = new Set();
      addresses = new Set();
    },

    operationOf(record) {
      const { operationType, operationName = '', subject } = record;
      const name = operationName.length > MAX_NAME_BYTES ? keptName(operationName) : operationName;
      const mayBeNew = () =>
        newNames.mayCountSeparately(
          keptName(name),
          keptName(`${subject.tenant ?? ''}\n${principalOf(subject)}`),
          endOf(record),
        );
      if (!mayCountSeparately(operationNames, name, maxOperationNames, mayBeNew)) return OTHER_OPERATION;
      return { type: operationType, name };
    },

    subjectOf({ user, tenant = '', apiKey, ip = '' }) {
      if (user !== undefined && user !== '') return { tenant, kind: 'USER', name: user };
      if (apiKey !== undefined && apiKey !== '') return { tenant, kind: 'API_KEY', name: apiKey };
      if (ip === '' || !mayCountSeparately(addresses, ip, maxAddresses)) return OTHER_SUBJECT;
      return { tenant, kind: 'IP', name: ip };
    },

    knowNames: newNames.know,
  };
}

/**
 * Returns the key of a caller. It contains a length to be unambiguous: the tenant may contain the
 * separator.
 */
export function subjectKey({ tenant, kind, name }: UsageSubject): string {
  return `${kind}\n${tenant.length}\n${tenant}${name}`;
}

function mayCountSeparately(known: Set<string>, name: string, most: number, mayBeNew = () => true): boolean {
  if (name === '' || known.has(name)) return true;
  if (known.size >= most || !mayBeNew()) return false;
  known.add(keptName(name));
  return true;
}
