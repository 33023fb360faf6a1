import { registerEnumType } from 'type-graphql';
import type { Algorithm, Measure, OnUnavailable, OperationType, Rule } from '../model/rule.js';

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

export const Measures = { COST: 'COST', CALLS: 'CALLS', REQUESTS: 'REQUESTS' } as const satisfies { [M in Measure]: M };
registerEnumType(Measures, {
  name: 'Measure',
  description: 'What a limit counts.',
  valuesConfig: {
    COST: { description: 'Tokens: the outermost matching fields with all that is below them.' },
    CALLS: { description: 'How often matching fields are resolved.' },
    REQUESTS: { description: 'One per operation that has a matching field.' },
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
    QUERY: { description: 'Reads.' },
    MUTATION: { description: 'Writes.' },
    SUBSCRIPTION: { description: 'Listens.' },
  },
});

export const Algorithms = {
  TOKEN_BUCKET: 'TOKEN_BUCKET',
  LEAKY_BUCKET: 'LEAKY_BUCKET',
  FIXED_WINDOW: 'FIXED_WINDOW',
  SLIDING_WINDOW_COUNTER: 'SLIDING_WINDOW_COUNTER',
  SLIDING_WINDOW_LOG: 'SLIDING_WINDOW_LOG',
  CONCURRENCY: 'CONCURRENCY',
} as const satisfies { [Name in Algorithm]: Name };
registerEnumType(Algorithms, {
  name: 'Algorithm',
  description: 'How a limit is enforced over time.',
  valuesConfig: {
    TOKEN_BUCKET: {
      description: 'Bursts up to `capacity`, refilled evenly. Needs capacity, refillAmount, refillPeriodMs.',
    },
    LEAKY_BUCKET: { description: 'A constant outflow: what comes too fast waits. Members as of TOKEN_BUCKET.' },
    FIXED_WINDOW: { description: '`amount` per window of the clock. Needs amount, windowMs.' },
    SLIDING_WINDOW_COUNTER: {
      description:
        '`amount` per window that moves with time, weighted; `strict` makes it exact. Needs amount, windowMs.',
    },
    SLIDING_WINDOW_LOG: { description: 'The same to the millisecond, for amounts up to 1000. Needs amount, windowMs.' },
    CONCURRENCY: { description: '`capacity` at the same time. Needs capacity, leaseMs.' },
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

export const Actions = { REJECT: 'REJECT', THROTTLE: 'THROTTLE', EXEMPT: 'EXEMPT' } as const satisfies {
  [Type in Rule['action']['type']]: Type;
};
registerEnumType(Actions, {
  name: 'RuleActionType',
  description: 'What a rule does.',
  valuesConfig: {
    REJECT: { description: 'It denies what exceeds its limits.' },
    THROTTLE: { description: 'It lets what lacks tokens wait, up to `maxDelayMs`; it denies what would wait longer.' },
    EXEMPT: { description: 'Whom it matches its level does not limit at all. Such a rule has no limits.' },
  },
});
