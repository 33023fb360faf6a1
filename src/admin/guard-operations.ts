import { GraphQLError } from 'graphql';
import { ERRORS } from '../errors.js';
import type { RulesStore } from '../rules/store.js';
import type { AdminContext } from './admin-context.js';
import { mayDo, REQUIRED_ROLES } from './roles.js';

// biome-ignore lint/suspicious/noExplicitAny: each operation has an input of its own; the guard hands it on untouched.
type Operation = (context: AdminContext, ...input: any[]) => Promise<unknown>;

/**
 * Puts the check of roles before every operation: whoever lacks the role of `REQUIRED_ROLES` is denied, and the attempt
 * goes on record. An operation without an entry is denied to everybody, so that a new one is closed until somebody decides.
 */
export function guardOperations<Operations extends Record<string, Operation>>(
  operations: Operations,
  store: Pick<RulesStore, 'recordDenial'>,
): Operations {
  const guarded = Object.entries(operations).map(([name, operation]): [string, Operation] => [
    name,
    async (context, ...input) => {
      if (!mayDo(context.role, name)) {
        const required = REQUIRED_ROLES.get(name) ?? 'nobody';
        await store.recordDenial(context.actor, name, `role ${context.role}, needs ${required}`);
        throw forbidden(name, required);
      }
      return operation(context, ...input);
    },
  ]);
  return Object.fromEntries(guarded) as Operations;
}

function forbidden(operation: string, required: string): GraphQLError {
  const { status, message } = ERRORS.FORBIDDEN;
  return new GraphQLError(`${message}: ${operation} needs the role ${required}`, {
    extensions: { code: 'FORBIDDEN', http: { status } },
  });
}
