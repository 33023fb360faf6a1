import { registerEnumType } from 'type-graphql';
import type { OnUnavailable, Precision } from '../../model/limit-parameters.js';
import type { AnswerDetail, Measure, OperationType, Rule } from '../../model/rule.js';
import type { Scope } from '../../model/subject.js';
import type { UsageGroup } from '../../usage/query/read-usage.js';
import type { UsageMeasure } from '../../usage/query/top-request.js';
import type { EventRow, UsageLevel, UsageOperationType } from '../../usage/record/usage-levels.js';

export const Modes = { OFF: 'OFF', SHADOW: 'SHADOW', ENFORCE: 'ENFORCE' } as const satisfies { [M in Rule['mode']]: M };
registerEnumType(Modes, {
  name: 'RuleMode',
  description: 'Whether a rule denies.',
  valuesConfig: {
    OFF: { description: 'It is not looked at.' },
    SHADOW: { description: 'It is evaluated and reported, and denies nobody. Its counters are its own.' },
    ENFORCE: { description: 'It denies what exceeds it.' },
  },
});

export const Sources = { CODE: 'CODE', STORED: 'STORED' } as const;
registerEnumType(Sources, {
  name: 'RuleSource',
  description: 'Where a rule is defined.',
  valuesConfig: {
    CODE: { description: 'In the code of a server: read only.' },
    STORED: { description: 'In the database.' },
  },
});

export const TierSources = { CODE: 'CODE', STORED: 'STORED' } as const;
registerEnumType(TierSources, {
  name: 'TierSource',
  description: 'Where what is in force of a tier comes from. Tiers are always stored, and can be changed here.',
  valuesConfig: {
    CODE: {
      description:
        'It is as the code of a server has it. A change through this API takes the place of that, and stays.',
    },
    STORED: { description: 'It was made or changed through this API, or by code that no server runs any more.' },
  },
});

export const Answers = { BRIEF: 'BRIEF', FULL: 'FULL', NONE: 'NONE' } as const satisfies { [A in AnswerDetail]: A };
registerEnumType(Answers, {
  name: 'AnswerDetail',
  description: 'How much an answer says of cost and limits.',
  valuesConfig: {
    BRIEF: { description: 'What it cost, the bucket of the tier, and the one other limit that is nearest to denying.' },
    FULL: { description: 'Every limit that applied, the tier and the mode.' },
    NONE: { description: 'No numbers, in denials neither: these say their code and when to try again.' },
  },
});

export const Measures = {
  COST: 'COST',
  CALLS: 'CALLS',
  REQUESTS: 'REQUESTS',
  NODES: 'NODES',
  TYPE_COST: 'TYPE_COST',
  FIELD_COST: 'FIELD_COST',
} as const satisfies { [M in Measure]: M };
registerEnumType(Measures, {
  name: 'Measure',
  description: 'What a limit counts.',
  valuesConfig: {
    COST: { description: 'Tokens: the outermost matching fields with all that is below them.' },
    CALLS: { description: 'How often matching fields are resolved.' },
    REQUESTS: { description: 'One per operation that has a matching field.' },
    NODES: {
      description: 'Objects that can be returned, whatever they weigh; in profile `github` the nodes of connections.',
    },
    TYPE_COST: { description: 'The type cost of the cost-directives draft, whatever the profile.' },
    FIELD_COST: { description: 'The field cost of the cost-directives draft, whatever the profile.' },
  },
});

export const OperationTypes = {
  QUERY: 'QUERY',
  MUTATION: 'MUTATION',
  SUBSCRIPTION: 'SUBSCRIPTION',
} as const satisfies {
  [Type in OperationType]: Type;
};
registerEnumType(OperationTypes, {
  name: 'OperationType',
  description: 'Kinds of operations.',
  valuesConfig: {
    QUERY: { description: 'It reads.' },
    MUTATION: { description: 'It writes.' },
    SUBSCRIPTION: { description: 'It listens for events.' },
  },
});

export const Outages = { LOCAL: 'LOCAL', OPEN: 'OPEN', CLOSED: 'CLOSED' } as const satisfies {
  [Way in OnUnavailable]: Way;
};
registerEnumType(Outages, {
  name: 'OnUnavailable',
  description: 'What becomes of a limit while its counters cannot be reached.',
  valuesConfig: {
    LOCAL: { description: 'Each process decides by counters of its own.' },
    OPEN: { description: 'It lets everything through.' },
    CLOSED: { description: 'It lets nothing through: 503.' },
  },
});

export const Precisions = { EXACT: 'EXACT', LEASED: 'LEASED' } as const satisfies { [One in Precision]: One };
registerEnumType(Precisions, {
  name: 'Precision',
  description: 'How a limit counts.',
  valuesConfig: {
    EXACT: { description: 'Every operation by itself, in the counter that all instances share.' },
    LEASED: {
      description:
        'Instances that charge a counter often take tokens ahead for a tenth of a second, and decide without Redis: docs/scale.md has the bounds.',
    },
  },
});

export const Actions = { REJECT: 'REJECT', THROTTLE: 'THROTTLE', EXEMPT: 'EXEMPT' } as const satisfies {
  [Type in Rule['action']['type']]: Type;
};
registerEnumType(Actions, {
  name: 'RuleActionType',
  description: 'What a rule does.',
  valuesConfig: {
    REJECT: { description: 'It denies what exceeds its limits.' },
    THROTTLE: { description: 'It lets what lacks tokens wait, up to `maxDelayMs`; it denies what would wait longer.' },
    EXEMPT: { description: 'Callers that it matches are not limited on its level at all. Such a rule has no limits.' },
  },
});

export const Scopes = {
  GLOBAL: 'GLOBAL',
  TENANT: 'TENANT',
  USER: 'USER',
  API_KEY: 'API_KEY',
  IP: 'IP',
} as const satisfies { [Name in Scope]: Name };

registerEnumType(Scopes, {
  name: 'Scope',
  description: 'Who shares a counter.',
  valuesConfig: {
    GLOBAL: { description: 'Everybody shares it.' },
    TENANT: { description: 'The users and keys of one tenant.' },
    USER: { description: 'One principal: the user, else the API key, else the address.' },
    API_KEY: { description: 'All requests with one API key.' },
    IP: { description: 'All requests from one address (IPv6: one /64, or what `ipv6Prefix` says).' },
  },
});

export type UsageBucket = Uppercase<UsageLevel>;

export const Buckets = { MINUTE: 'MINUTE', HOUR: 'HOUR', DAY: 'DAY' } as const satisfies { [B in UsageBucket]: B };
registerEnumType(Buckets, {
  name: 'UsageBucket',
  description: 'How long the buckets of usage are. They begin at whole minutes, hours and days, in UTC.',
  valuesConfig: {
    MINUTE: { description: 'For ranges up to a day, also one of 25 hours.' },
    HOUR: { description: 'For ranges up to 31 days and an hour: the longest month of every place.' },
    DAY: { description: 'For ranges up to 400 days.' },
  },
});

export const Groups = {
  CALLER: 'CALLER',
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
    CALLER: { description: 'The user, else the API key, else the address.' },
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
    QUERY: { description: 'It reads.' },
    MUTATION: { description: 'It writes.' },
    SUBSCRIPTION: { description: 'It listens for events.' },
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
