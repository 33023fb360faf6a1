import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql';
import { Extensions } from 'type-graphql';
import { ERRORS, errorOf } from '../../model/errors.js';
import { ADMIN_ROLES, type AdminRole } from '../../rules/store/create-admin-token-store.js';
import type { RulesStore } from '../../rules/store/rules-store.js';
import type { AdminCaller, AdminContext } from './admin-context.js';
import { createDenialRecord, type RecordDenial } from './create-denial-record.js';

type OperationField = GraphQLField<unknown, AdminContext>;

/**
 * Declares the minimum role of an operation of the admin API. Viewers can only read. Operators
 * handle daily work: callers, their keys, and the modes of rules. Admins decide on tiers, rules and
 * administrators.
 */
export function Requires(role: AdminRole): MethodDecorator {
  return Extensions({ requiredRole: role });
}

/**
 * Returns the role that an operation needs. Returns undefined if the operation declares none. Such
 * an operation is denied to all callers.
 */
export function requiredRoleOf({ extensions }: Pick<OperationField, 'extensions'>): AdminRole | undefined {
  const role = extensions['requiredRole'];
  return ADMIN_ROLES.find((one) => one === role);
}

/** Returns whether the role includes the required one. Returns false if `required` is undefined. */
export function mayDo(role: AdminRole, required: AdminRole | undefined): boolean {
  return required !== undefined && ADMIN_ROLES.indexOf(role) >= ADMIN_ROLES.indexOf(required);
}

interface GuardOptions {
  store: Pick<RulesStore, 'recordDenial'>;
  /** Runs an operation and converts its failure into the error that the caller receives. */
  around: <Result>(run: () => Promise<Result>) => Promise<Result>;
}

/**
 * Adds the role check to every operation of the schema. It denies callers without the required role
 * and records the attempt. An operation without a role is denied to all callers, so that a new
 * operation stays closed until it declares a role.
 */
export function guardOperations(schema: GraphQLSchema, { store, around }: GuardOptions): void {
  const record = createDenialRecord({ store });
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  for (const field of roots.flatMap((root) => Object.values(root?.getFields() ?? {}))) {
    const required = requiredRoleOf(field);
    const guarded =
      (run: NonNullable<OperationField['resolve']>): NonNullable<OperationField['resolve']> =>
      (root, args, context, info) =>
        around(async () => {
          await checkRole(context, field.name, required, record, () => namesOfDenied(context, info));
          return run(root, args, context, info);
        });
    field.resolve = guarded(field.resolve ?? defaultFieldResolver);
    if (field.subscribe) field.subscribe = guarded(field.subscribe);
  }
}

/**
 * Checks the role of a caller for one operation.
 * @param othersOfRequest further operations that are denied to the caller in the same request. The
 * entry names them too, because each request gets only one entry
 * @throws GraphQLError FORBIDDEN for a caller without the role that the operation needs; the
 * attempt is recorded
 */
export async function checkRole(
  caller: AdminCaller,
  operation: string,
  required: AdminRole | undefined,
  record: RecordDenial,
  othersOfRequest: () => readonly string[] = () => [],
): Promise<void> {
  if (mayDo(caller.role, required)) return;
  const needed = required ?? '(none defined)';
  await record(caller, operation, () => {
    const others = othersOfRequest().filter((name) => name !== operation);
    const besides = others.length === 0 ? '' : `; also denied: ${others.join(', ')}`;
    return `role ${caller.role}, needs ${needed}${besides}`;
  });
  throw errorOf('FORBIDDEN', `${ERRORS.FORBIDDEN.message}: ${operation} needs the role ${needed}`);
}

/** Returns the names of the operations in a document that the caller may not use, each once. */
function namesOfDenied({ role }: AdminContext, { operation, fragments, parentType }: GraphQLResolveInfo): string[] {
  const known = parentType.getFields();
  const names = new Set<string>();
  const seen = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === 'Field') names.add(selection.name.value);
      else if (selection.kind === 'InlineFragment') collect(selection.selectionSet);
      else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const fragment = fragments[selection.name.value];
        if (fragment) collect(fragment.selectionSet);
      }
    }
  };
  collect(operation.selectionSet);
  return [...names].filter((name) => {
    const field = known[name];
    return field !== undefined && !mayDo(role, requiredRoleOf(field));
  });
}
