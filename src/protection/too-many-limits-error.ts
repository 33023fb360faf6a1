import type { GraphQLError } from 'graphql';
import type { LimitCharge } from '../limiter/charge/create-limit-compiler.js';
import { ERRORS, errorOf } from '../model/errors.js';
import { MAX_LIMITS } from '../model/limit-parameters.js';
import type { AnswerDetail } from '../model/rule.js';
import type { BoundLimit } from '../rules/matching/ruleset.js';

interface Limited {
  limits: readonly BoundLimit[];
  charges: readonly LimitCharge[];
}

/** Returns the error of an operation with more enforced limits than one charge can include. */
export function tooManyLimitsError({ charges }: Limited, detail: AnswerDetail = 'FULL'): GraphQLError {
  if (detail === 'NONE')
    return errorOf('TOO_MANY_LIMITS', `${ERRORS.TOO_MANY_LIMITS.message}: request its fields in several operations`);
  return errorOf(
    'TOO_MANY_LIMITS',
    `${ERRORS.TOO_MANY_LIMITS.message}: at least ${charges.length} limits apply to it, and at most ${MAX_LIMITS} are charged together; request its fields in several operations`,
    { extensions: { limits: charges.length, maximumLimits: MAX_LIMITS } },
  );
}

/** Value of `deniedBy` for an operation that is rejected because too many limits apply to it. */
export const LIMITS_PER_OPERATION = 'limits-per-operation';

/** Returns whether more limits apply to the operation than one charge may have. */
export function isTooLarge({ charges }: Limited): boolean {
  return charges.length > MAX_LIMITS;
}

/**
 * Returns the limits that fit into one charge: all enforced limits, the tier bucket, and the first
 * shadow limits that still fit. Shadow limits never deny, so they must not cause a rejection.
 */
export function withoutExcessShadows<Kept extends Limited>(all: Kept): Pick<Kept, keyof Limited> {
  const isBound = (index: number) => all.charges[index]?.mode !== 'SHADOW' || all.limits[index]?.rule === undefined;
  let room = MAX_LIMITS - all.charges.filter((_, index) => isBound(index)).length;
  const kept = new Set([...all.charges.keys()].filter((index) => isBound(index) || room-- > 0));
  return {
    limits: all.limits.filter((_, index) => kept.has(index)),
    charges: all.charges.filter((_, index) => kept.has(index)),
  };
}
