import { registerEnumType } from 'type-graphql';
import type { CalendarAnchor, CalendarPeriod, OnUnavailable, Precision } from '../../model/limit-parameters.js';
import type { RegionMode } from '../../model/region-mode.js';
import type { AnswerDetail, DocumentKind, EventPolicy, Measure, OperationType, Rule } from '../../model/rule.js';
import type { CallerKind, CredentialKind, KeyKind, Scope } from '../../model/subject.js';
import type { UsageGroup } from '../../usage/query/read-usage.js';
import type { UsageMeasure } from '../../usage/query/top-request.js';
import type { EventRow, UsageLevel, UsageOperationType } from '../../usage/record/usage-levels.js';

export const Modes = { OFF: 'OFF', SHADOW: 'SHADOW', ENFORCE: 'ENFORCE' } as const satisfies { [M in Rule['mode']]: M };
registerEnumType(Modes, {
  name: 'RuleMode',
  description: 'Effect of a rule on operations.',
  valuesConfig: {
    OFF: { description: 'The rule is ignored.' },
    SHADOW: { description: 'The rule is evaluated and reported, but does not deny. It has its own counters.' },
    ENFORCE: { description: 'The rule denies operations that exceed its limits.' },
  },
});

export const Sources = { CODE: 'CODE', STORED: 'STORED' } as const;
registerEnumType(Sources, {
  name: 'RuleSource',
  description: 'Places where a rule can be defined.',
  valuesConfig: {
    CODE: { description: 'In the code of a server. The rule is read-only here.' },
    STORED: { description: 'In the database.' },
  },
});

export const TierSources = { CODE: 'CODE', STORED: 'STORED' } as const;
registerEnumType(TierSources, {
  name: 'TierSource',
  description: 'Sources of the values of a tier. Tiers are always stored, and this API can change them.',
  valuesConfig: {
    CODE: {
      description: 'The code of a server. A change through this API replaces these values permanently.',
    },
    STORED: { description: 'This API, or code that no server runs any longer.' },
  },
});

export const Answers = { BRIEF: 'BRIEF', FULL: 'FULL', NONE: 'NONE' } as const satisfies { [A in AnswerDetail]: A };
registerEnumType(Answers, {
  name: 'AnswerDetail',
  description: 'Detail on cost and limits in a response.',
  valuesConfig: {
    BRIEF: { description: 'The cost, the bucket of the tier, and the other limit that is closest to a denial.' },
    FULL: { description: 'All limits that applied, the tier and the mode.' },
    NONE: { description: 'No numbers. Denials contain only their code and the time of a retry.' },
  },
});

export const CalendarPeriods = {
  HOUR: 'HOUR',
  DAY: 'DAY',
  WEEK: 'WEEK',
  MONTH: 'MONTH',
  QUARTER: 'QUARTER',
  YEAR: 'YEAR',
} as const satisfies { [P in CalendarPeriod]: P };
registerEnumType(CalendarPeriods, {
  name: 'CalendarPeriod',
  description: 'Lengths of periods of a calendar.',
  valuesConfig: {
    HOUR: { description: 'An hour.' },
    DAY: { description: 'A day, from `anchorTime` on.' },
    WEEK: { description: 'Seven days, from the day of the week `anchorDay` on.' },
    MONTH: { description: 'A month, from its day `anchorDay` or the last day of a shorter month on.' },
    QUARTER: { description: 'Three months.' },
    YEAR: { description: 'Twelve months.' },
  },
});

export const CalendarAnchors = { CALENDAR: 'CALENDAR', SUBJECT: 'SUBJECT' } as const satisfies {
  [A in CalendarAnchor]: A;
};
registerEnumType(CalendarAnchors, {
  name: 'CalendarAnchor',
  description: 'Dates from which the periods of a calendar window are counted.',
  valuesConfig: {
    CALENDAR: { description: 'The day `anchorDay` of each period.' },
    SUBJECT: { description: 'The billing anchor of the caller or its tenant; without one, as `CALENDAR`.' },
  },
});

export const Measures = {
  COST: 'COST',
  CALLS: 'CALLS',
  REQUESTS: 'REQUESTS',
  NODES: 'NODES',
  TYPE_COST: 'TYPE_COST',
  FIELD_COST: 'FIELD_COST',
  SUBSCRIPTIONS: 'SUBSCRIPTIONS',
  CONNECTIONS: 'CONNECTIONS',
} as const satisfies { [M in Measure]: M };
registerEnumType(Measures, {
  name: 'Measure',
  description: 'Units of limits.',
  valuesConfig: {
    COST: { description: 'Tokens: cost of the outermost matching fields, including nested fields.' },
    CALLS: { description: 'Calls of matching fields.' },
    REQUESTS: { description: 'One per operation that has a matching field.' },
    NODES: {
      description: 'Objects; with the cost profile `github`: only connection nodes.',
    },
    TYPE_COST: { description: 'The type cost of the IBM cost directives, with every cost profile.' },
    FIELD_COST: { description: 'The field cost of the IBM cost directives, with every cost profile.' },
    SUBSCRIPTIONS: { description: 'One per open subscription that has a matching field.' },
    CONNECTIONS: { description: 'One per open WebSocket connection.' },
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
  description: 'Types of operations.',
  valuesConfig: {
    QUERY: { description: 'A query, which reads data.' },
    MUTATION: { description: 'A mutation, which changes data.' },
    SUBSCRIPTION: { description: 'A subscription, which receives events.' },
  },
});

export const Outages = { LOCAL: 'LOCAL', OPEN: 'OPEN', CLOSED: 'CLOSED' } as const satisfies {
  [Way in OnUnavailable]: Way;
};
registerEnumType(Outages, {
  name: 'OnUnavailable',
  description: 'Behavior of a limit while its counters are unavailable.',
  valuesConfig: {
    LOCAL: { description: 'Each process decides with its own counters.' },
    OPEN: { description: 'The limit admits all operations.' },
    CLOSED: { description: 'The limit denies all operations, with status 503.' },
  },
});

export const EventPolicies = { COMPLETE: 'COMPLETE', DROP: 'DROP', PAUSE: 'PAUSE' } as const satisfies {
  [Policy in EventPolicy]: Policy;
};
registerEnumType(EventPolicies, {
  name: 'EventPolicy',
  description: 'Effects of a denied event on its subscription.',
  valuesConfig: {
    COMPLETE: { description: 'The subscription ends with the error of the denial.' },
    DROP: { description: 'The event is not sent.' },
    PAUSE: { description: 'The subscription reads no further event until the limit has room.' },
  },
});

export const Precisions = { EXACT: 'EXACT', LEASED: 'LEASED' } as const satisfies { [One in Precision]: One };
registerEnumType(Precisions, {
  name: 'Precision',
  description: 'Ways in which a limit counts.',
  valuesConfig: {
    EXACT: { description: 'Each operation is charged to the counter that all instances share.' },
    LEASED: {
      description:
        'An instance with frequent charges leases tokens for a tenth of a second, and decides without Redis. docs/leases.md describes by how much a limit can be exceeded.',
    },
  },
});

export const RegionModes = { CENTRAL: 'CENTRAL', SPLIT: 'SPLIT', WATCH: 'WATCH' } as const satisfies {
  [One in RegionMode]: One;
};
registerEnumType(RegionModes, {
  name: 'RegionMode',
  description: 'Ways in which the Redis servers of several regions enforce a limit.',
  valuesConfig: {
    CENTRAL: { description: 'Each Redis enforces the whole limit.' },
    SPLIT: {
      description:
        'The Redis of each region enforces the share of its region, which the setting `TOLLGATE_REGION_SHARES` defines.',
    },
    WATCH: {
      description:
        'The Redis of each region enforces the whole limit, and adds what the other regions have reported. docs/regions.md describes by how much a limit can be exceeded.',
    },
  },
});

export const Actions = { REJECT: 'REJECT', THROTTLE: 'THROTTLE', EXEMPT: 'EXEMPT' } as const satisfies {
  [Type in Rule['action']['type']]: Type;
};
registerEnumType(Actions, {
  name: 'RuleActionType',
  description: 'Action of a rule on operations that exceed its limits.',
  valuesConfig: {
    REJECT: { description: 'The rule denies operations that exceed its limits.' },
    THROTTLE: {
      description:
        'The rule delays operations that lack tokens, up to `maxDelayMs`. It denies operations that need a longer delay.',
    },
    EXEMPT: {
      description:
        'Other rules with the same scope, field and measure do not limit the operations that the rule matches. The rule has no limits itself.',
    },
  },
});

export const Scopes = {
  GLOBAL: 'GLOBAL',
  TENANT: 'TENANT',
  USER: 'USER',
  API_KEY: 'API_KEY',
  IP: 'IP',
  USER_AND_IP: 'USER_AND_IP',
} as const satisfies { [Name in Scope]: Name };

registerEnumType(Scopes, {
  name: 'Scope',
  description: 'Callers that share a counter.',
  valuesConfig: {
    GLOBAL: { description: 'All callers.' },
    TENANT: { description: 'The users and keys of one tenant.' },
    USER: { description: 'One principal: the user, else the API key, else the address.' },
    API_KEY: { description: 'All requests with one API key.' },
    IP: { description: 'All requests from one address. For IPv6: one /64, or the prefix length in `ipv6Prefix`.' },
    USER_AND_IP: { description: 'Each pair of a principal and an address. Callers without an address have no pair.' },
  },
});

export const CallerKinds = { ANONYMOUS: 'ANONYMOUS', IDENTIFIED: 'IDENTIFIED' } as const satisfies {
  [Kind in CallerKind]: Kind;
};
registerEnumType(CallerKinds, {
  name: 'RuleCallers',
  description: 'Kinds of callers, for conditions of rules.',
  valuesConfig: {
    ANONYMOUS: { description: 'Callers that are known only by their address.' },
    IDENTIFIED: { description: 'Callers with a user, a tenant or an API key.' },
  },
});

export const DocumentKinds = { REGISTERED: 'REGISTERED', UNREGISTERED: 'UNREGISTERED' } as const satisfies {
  [Kind in DocumentKind]: Kind;
};
registerEnumType(DocumentKinds, {
  name: 'RuleDocument',
  description: 'Kinds of documents, for conditions of rules.',
  valuesConfig: {
    REGISTERED: { description: 'Documents of a published version of an app, sent by their id or as a text.' },
    UNREGISTERED: { description: 'All other documents.' },
  },
});

export const CredentialKinds = { KEY: 'KEY', TOKEN: 'TOKEN', NONE: 'NONE' } as const satisfies {
  [Kind in CredentialKind]: Kind;
};
registerEnumType(CredentialKinds, {
  name: 'CredentialKind',
  description: 'Kinds of credentials.',
  valuesConfig: {
    KEY: { description: 'An API key.' },
    TOKEN: { description: 'Any other credential that identifies a user or a tenant, such as a token or a session.' },
    NONE: { description: 'No credential: the caller is anonymous.' },
  },
});

export const KeyKinds = { SERVICE: 'SERVICE', AGENT: 'AGENT' } as const satisfies { [Kind in KeyKind]: Kind };
registerEnumType(KeyKinds, {
  name: 'ApiKeyKind',
  description: 'Kinds of API keys.',
  valuesConfig: {
    SERVICE: { description: 'A program of the holder.' },
    AGENT: {
      description:
        'A program that decides itself which operations it sends, such as a language model behind an MCP server.',
    },
  },
});

export type UsageBucket = Uppercase<UsageLevel>;

export const Buckets = { MINUTE: 'MINUTE', HOUR: 'HOUR', DAY: 'DAY' } as const satisfies { [B in UsageBucket]: B };
registerEnumType(Buckets, {
  name: 'UsageBucket',
  description: 'Lengths of the buckets of usage. Buckets begin at whole minutes, hours and days in UTC.',
  valuesConfig: {
    MINUTE: { description: 'For ranges up to 25 hours, the longest day in any time zone.' },
    HOUR: { description: 'For ranges up to 31 days and an hour, the longest month in any time zone.' },
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
  INTEGRATION: 'INTEGRATION',
  REGION: 'REGION',
} as const satisfies { [G in UsageGroup]: G };
registerEnumType(Groups, {
  name: 'UsageGroup',
  description:
    'Groupings of usage. FIELD, RULE, INTEGRATION and REGION cannot be combined with others; the others can.',
  valuesConfig: {
    CALLER: { description: 'The user, else the API key, else the address.' },
    TENANT: { description: 'The tenant of the caller.' },
    TIER: { description: 'Tier of the caller at that time.' },
    OPERATION: { description: 'Type and name of the operation.' },
    FIELD: { description: 'The fields that operations selected. An operation counts in each of its fields.' },
    RULE: { description: 'The rules that applied. An operation counts in each of its rules.' },
    REGION: { description: 'The region of the servers that decided, which the setting `TOLLGATE_REGION` names.' },
    INTEGRATION: {
      description: 'The integration of the decision service that asked for the decision: see `Usage.integration`.',
    },
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
  description: 'Measures that order a list.',
  valuesConfig: {
    ACTUAL_COST: { description: 'The actual cost.' },
    ESTIMATED_COST: { description: 'The estimated cost.' },
    REQUESTS: { description: 'The number of operations, admitted and denied.' },
    DENIED: { description: 'The number of denied operations.' },
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
  description: 'Types of operations, and of requests without an operation.',
  valuesConfig: {
    QUERY: { description: 'A query, which reads data.' },
    MUTATION: { description: 'A mutation, which changes data.' },
    SUBSCRIPTION: { description: 'A subscription, which receives events.' },
    UNPRICED: { description: 'Requests that paid the flat fee, such as for a syntax error or an unknown field.' },
    OTHER: {
      description: 'Operations that are counted together, because too many different names arrived in one minute.',
    },
  },
});

export const DenialCodes = {
  THROTTLED: 'THROTTLED',
  MAX_COST_EXCEEDED: 'MAX_COST_EXCEEDED',
  UNAVAILABLE: 'UNAVAILABLE',
} as const satisfies { [C in NonNullable<EventRow['code']>]: C };
registerEnumType(DenialCodes, {
  name: 'DenialCode',
  description: 'Reasons of denials.',
  valuesConfig: {
    THROTTLED: { description: 'A limit was used up at that time.' },
    MAX_COST_EXCEEDED: {
      description:
        'The operation costs more than the capacity of the limit, or more than the tier allows for one operation.',
    },
    UNAVAILABLE: {
      description:
        'The counters of a limit with `onUnavailable: CLOSED` were unavailable; or Redis did not respond in time, and operations in flight could use up the limit.',
    },
  },
});
