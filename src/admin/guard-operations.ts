import { GraphQLError } from 'graphql';
import { ERRORS } from '../errors.js';
import type { RulesStore } from '../rules/store/rules-store.js';
import type { AdminCaller, AdminContext } from './admin-context.js';
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
      await checkRole(context, name, store);
      return operation(context, ...input);
    },
  ]);
  return Object.fromEntries(guarded) as Operations;
}

/** @throws GraphQLError FORBIDDEN for a caller without the role that the operation needs; the attempt goes on record */
export async function checkRole(
  { actor, role }: AdminCaller,
  operation: string,
  store: Pick<RulesStore, 'recordDenial'>,
): Promise<void> {
  if (mayDo(role, operation)) return;
  const required = REQUIRED_ROLES.get(operation) ?? 'nobody';
  await store.recordDenial(actor, operation, `role ${role}, needs ${required}`);
  throw forbidden(operation, required);
}

function forbidden(operation: string, required: string): GraphQLError {
  const { status, message } = ERRORS.FORBIDDEN;
  return new GraphQLError(`${message}: ${operation} needs the role ${required}`, {
    extensions: { code: 'FORBIDDEN', http: { status } },
  });
}
