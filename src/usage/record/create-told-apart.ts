import { principalOf } from '../../model/subject.js';
import type { RecordedSubject, UsageRecord } from '../../model/usage-record.js';
import { createNewNames } from './create-new-names.js';
import { endOf, isAnotherWindow } from './is-another-window.js';
import { keptName, MAX_NAME_BYTES } from './stored-text.js';
import type { UsageOperationType, UsageSubjectKind } from './usage-levels.js';

/** Who is charged: the user, else the API key, else the address. */
export interface UsageSubject {
  /** '' stands for none. */
  tenant: string;
  kind: UsageSubjectKind;
  name: string;
}

export interface UsageOperation {
  type: UsageOperationType;
  /** '' stands for none. */
  name: string;
}

export interface ToldApartOptions {
  /** Names of operations told apart in one minute: callers choose them. */
  maxOperationNames: number;
  /** Of them, those that were not told apart of late. */
  newOperationNamesPerHour: number;
  /** Addresses without a user or key told apart in one minute. */
  maxAddresses: number;
}

/** Which operations and callers are told apart. All others are counted together, as OTHER. */
interface ToldApart {
  /** Forgets what was told apart, where the operation ends in another minute than the last one. Called once for each, first. */
  beginMinute(record: UsageRecord): void;
  operationOf(record: UsageRecord): UsageOperation;
  subjectOf(subject: RecordedSubject): UsageSubject;
  /** These names of operations are not new. The last of them are kept for longest. */
  knowNames(names: readonly string[]): void;
}

const MINUTE_MS = 60_000;
export const OTHER_SUBJECT: UsageSubject = { tenant: '', kind: 'OTHER', name: '' };
export const OTHER_OPERATION: UsageOperation = { type: 'OTHER', name: '' };

/** Bounds what is told apart in the minute in which operations end now, also when it was handed over in between. */
export function createToldApart({
  maxOperationNames,
  maxAddresses,
  newOperationNamesPerHour,
}: ToldApartOptions): ToldApart {
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
        newNames.mayTellApart(
          keptName(name),
          keptName(`${subject.tenant ?? ''}\n${principalOf(subject)}`),
          endOf(record),
        );
      if (!mayTellApart(operationNames, name, maxOperationNames, mayBeNew)) return OTHER_OPERATION;
      return { type: operationType, name };
    },

    subjectOf({ user, tenant = '', apiKey, ip = '' }) {
      if (user !== undefined && user !== '') return { tenant, kind: 'USER', name: user };
      if (apiKey !== undefined && apiKey !== '') return { tenant, kind: 'API_KEY', name: apiKey };
      if (ip === '' || !mayTellApart(addresses, ip, maxAddresses)) return OTHER_SUBJECT;
      return { tenant, kind: 'IP', name: ip };
    },

    knowNames: newNames.know,
  };
}

/** No part but the last can hold the separator without the lengths telling. */
export function subjectKey({ tenant, kind, name }: UsageSubject): string {
  return `${kind}\n${tenant.length}\n${tenant}${name}`;
}

function mayTellApart(known: Set<string>, name: string, most: number, mayBeNew = () => true): boolean {
  if (name === '' || known.has(name)) return true;
  if (known.size >= most || !mayBeNew()) return false;
  known.add(keptName(name));
  return true;
}
