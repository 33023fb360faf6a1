import type { Rule } from '../../model/rule.js';
import type { FieldPattern } from '../policy/field-pattern.js';
import { ALL_CLASSES } from './caller-classes.js';
import type { PreparedRule } from './prepare-rule.js';

const FIELDS = ['__schema', '__type'] as const;
const ID = 'introspection';

/**
 * The capacity allows a larger burst than any tool needs. The refill of one call per second lets
 * tools poll the schema.
 */
const BUCKET = { algorithm: 'TOKEN_BUCKET', capacity: 200, refillAmount: 1, refillPeriodMs: 1000, key: ID } as const;

const RULE: Rule = {
  id: ID,
  name: ID,
  mode: 'ENFORCE',
  rolloutPercent: 100,
  priority: 0,
  match: {},
  scope: 'USER',
  field: '*.__schema',
  measure: 'CALLS',
  limits: [BUCKET],
  action: { type: 'REJECT' },
  onUnavailable: 'LOCAL',
  precision: 'EXACT',
  regionMode: 'CENTRAL',
  onEventDenied: 'COMPLETE',
};

const PATTERN: FieldPattern = {
  text: ID,
  patterns: FIELDS.map((name) => `*.${name}`),
  wholeOperation: false,
  rank: 1,
  matches: isOfIntrospection,
};

/**
 * A small bucket per caller for introspection alone, which counts each `__schema` and `__type`. The
 * bucket of a tier is not enough: introspection is cheap, so a large bucket would allow hundreds of
 * introspection queries at the same time.
 */
export const INTROSPECTION: PreparedRule = {
  rule: RULE,
  pattern: PATTERN,
  limits: [
    {
      id: ['USER', ID, 'CALLS', BUCKET.algorithm, 'bucket', ID].join('|'),
      ruleName: ID,
      rule: RULE,
      scope: 'USER',
      pattern: PATTERN,
      measure: 'CALLS',
      parameters: BUCKET,
      mode: 'ENFORCE',
    },
  ],
  level: ['USER', ID, 'CALLS'].join('|'),
  asksForRequest: false,
  classes: ALL_CLASSES,
};

/**
 * Returns whether a rule replaces `INTROSPECTION` for the operations and callers that it applies to:
 * it is enforced, and its fields name one of those of introspection.
 */
export function replacesIntrospection({ rule, pattern: { patterns } }: PreparedRule): boolean {
  return rule !== RULE && rule.mode === 'ENFORCE' && patterns.some(isOfIntrospection);
}

function isOfIntrospection(pattern: string): boolean {
  return FIELDS.some((name) => pattern.endsWith(`.${name}`));
}

export function asksForIntrospection(coordinates: Iterable<string>): boolean {
  for (const coordinate of coordinates) if (PATTERN.matches(coordinate)) return true;
  return false;
}
