import { GraphQLError } from 'graphql';
import { ERRORS } from '../errors.js';
import type { LimitCharge } from '../limiter/compile-limit.js';
import { MAX_LIMITS } from '../model/limit.js';
import type { BoundLimit } from '../rules/matching/ruleset.js';

interface Limited {
  limits: readonly BoundLimit[];
  charges: readonly LimitCharge[];
}

/** Under this name a decision says that an operation was refused for the number of its limits. */
export const LIMITS_PER_OPERATION = 'limits-per-operation';

export function isTooLarge({ charges }: Limited): boolean {
  return charges.length > MAX_LIMITS;
}

/**
 * What of too many limits one charge takes: all that are enforced, the tier's bucket, and the first of the shadows while
 * there is room. Shadows deny nobody, so they must not be why an operation is refused.
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

/** The error of an operation that is under more enforced limits than can be charged together, or not at all. */
export function tooManyLimitsError({ charges }: Limited): GraphQLError {
  const { status, message } = ERRORS.TOO_MANY_LIMITS;
  return new GraphQLError(
    `${message}: at least ${charges.length} limits apply to it, and at most ${MAX_LIMITS} are charged together; ask for its fields in several operations`,
    {
      extensions: {
        code: 'TOO_MANY_LIMITS',
        limits: charges.length,
        maximumLimits: MAX_LIMITS,
        http: { status },
      },
    },
  );
}
