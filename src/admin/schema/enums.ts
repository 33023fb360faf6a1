import { registerEnumType } from 'type-graphql';
import type { UsageGroup } from '../../usage/query/read-usage.js';
import type { UsageMeasure } from '../../usage/query/top-usage.js';
import type { EventRow, UsageLevel, UsageOperationType, UsageSubjectKind } from '../../usage/tables.js';

export type UsageBucket = Uppercase<UsageLevel>;

export const Buckets = { MINUTE: 'MINUTE', HOUR: 'HOUR', DAY: 'DAY' } as const satisfies { [B in UsageBucket]: B };
registerEnumType(Buckets, {
  name: 'UsageBucket',
  description: 'How long the buckets of usage are. They begin at whole minutes, hours and days, in UTC.',
  valuesConfig: {
    MINUTE: { description: 'For ranges up to a day.' },
    HOUR: { description: 'For ranges up to 31 days.' },
    DAY: { description: 'For ranges up to 400 days.' },
  },
});

export const Groups = {
  SUBJECT: 'SUBJECT',
  TENANT: 'TENANT',
  TIER: 'TIER',
  OPERATION: 'OPERATION',
  FIELD: 'FIELD',
  RULE: 'RULE',
} as const satisfies { [G in UsageGroup]: G };
registerEnumType(Groups, {
  name: 'UsageGroup',
  description: 'What usage is told apart by. FIELD and RULE stand alone; the others go together.',
  valuesConfig: {
    SUBJECT: { description: 'The user, else the API key, else the address.' },
    TENANT: { description: 'The tenant of the caller.' },
    TIER: { description: 'The tier that the caller was on.' },
    OPERATION: { description: 'Type and name of the operation.' },
    FIELD: { description: 'The fields that operations selected. An operation counts in each of its fields.' },
    RULE: { description: 'The rules that applied. An operation counts in each of its rules.' },
  },
});

export const UsageMeasures = {
  ACTUAL_COST: 'ACTUAL_COST',
  ESTIMATED_COST: 'ESTIMATED_COST',
  REQUESTS: 'REQUESTS',
  DENIED: 'DENIED',
} as const satisfies { [M in UsageMeasure]: M };
registerEnumType(UsageMeasures, {
  name: 'UsageMeasure',
  description: 'What the top of a list is found by.',
  valuesConfig: {
    ACTUAL_COST: { description: 'What was charged in the end.' },
    ESTIMATED_COST: { description: 'What was charged first.' },
    REQUESTS: { description: 'How many operations were asked for, denied ones too.' },
    DENIED: { description: 'How many were denied.' },
  },
});

export const SubjectKinds = {
  USER: 'USER',
  API_KEY: 'API_KEY',
  IP: 'IP',
  OTHER: 'OTHER',
} as const satisfies { [K in UsageSubjectKind]: K };
registerEnumType(SubjectKinds, {
  name: 'UsageSubjectKind',
  description: 'What a caller was known by.',
  valuesConfig: {
    USER: { description: 'The id of a user.' },
    API_KEY: { description: 'An API key without a user.' },
    IP: { description: 'An address, of callers of whom nothing else is known.' },
    OTHER: { description: 'Those that are not told apart: too many different ones came in one minute.' },
  },
});

export const UsageOperationTypes = {
  QUERY: 'QUERY',
  MUTATION: 'MUTATION',
  SUBSCRIPTION: 'SUBSCRIPTION',
  UNPRICED: 'UNPRICED',
  OTHER: 'OTHER',
} as const satisfies { [T in UsageOperationType]: T };
registerEnumType(UsageOperationTypes, {
  name: 'UsageOperationType',
  description: 'Kinds of operations, and what was none.',
  valuesConfig: {
    QUERY: { description: 'Reads.' },
    MUTATION: { description: 'Writes.' },
    SUBSCRIPTION: { description: 'Listens.' },
    UNPRICED: { description: 'What paid the flat fee: a syntax error, an unknown field.' },
    OTHER: { description: 'Those that are not told apart: too many different names came in one minute.' },
  },
});

export const DenialCodes = {
  THROTTLED: 'THROTTLED',
  MAX_COST_EXCEEDED: 'MAX_COST_EXCEEDED',
  UNAVAILABLE: 'UNAVAILABLE',
} as const satisfies { [C in NonNullable<EventRow['code']>]: C };
registerEnumType(DenialCodes, {
  name: 'DenialCode',
  description: 'Why an operation was denied.',
  valuesConfig: {
    THROTTLED: { description: 'There was no room at that time.' },
    MAX_COST_EXCEEDED: { description: 'It costs more than the limit can ever hold.' },
    UNAVAILABLE: { description: 'A limit that must not be skipped could not be checked.' },
  },
});
