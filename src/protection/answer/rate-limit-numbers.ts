import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, type SelectionNode } from 'graphql';
import { createObjectNotes } from '../../runtime/create-object-notes.js';

/**
 * Value of the field `rateLimit`: the caller's bucket after this operation, and the cost of the
 * operation.
 */
export interface RateLimitNumbers {
  cost: number;
  limit: number | null;
  remaining: number | null;
  used: number | null;
  resetAt: string | null;
  nodeCount: number;
}

/** Type definitions to add to the protected schema, together with `rateLimitResolvers`. */
export const rateLimitTypeDefs = /* GraphQL */ `
  "Bucket of the caller after this operation. The numbers are null for callers without a bucket."
  type RateLimit {
    "Maximum cost of this operation, in tokens."
    cost: Int!
    "Tokens that fit into the bucket."
    limit: Int
    "Tokens left."
    remaining: Int
    "Tokens used."
    used: Int
    "Time at which the bucket is full again if nothing more is charged."
    resetAt: String
    "Maximum number of objects that the operation can return."
    nodeCount: Int!
  }
  extend type Query {
    "Bucket of the caller. With dryRun, only this field runs, and the caller pays the minimum cost."
    rateLimit(
      "Whether to return only the cost of the operation, without running it."
      dryRun: Boolean = false
    ): RateLimit
  }
`;

/**
 * Functions that compute the value of `rateLimit`, by the context value of the request. The context
 * value is the only object that the plugin and the resolver share. A WeakMap would keep the entry
 * of each request until the next full garbage collection.
 */
const numbersOf = createObjectNotes<object, () => RateLimitNumbers>();

export const rateLimitResolvers = {
  Query: {
    rateLimit: (_source: unknown, _arguments: unknown, contextValue: object): RateLimitNumbers | null =>
      numbersOf.get(contextValue)?.() ?? null,
  },
};

const offering = new WeakMap<GraphQLSchema, boolean>();

/**
 * Returns whether the schema has the field `rateLimit`. Requests to other schemas skip all work for
 * this field.
 */
export function offersRateLimit(schema: GraphQLSchema): boolean {
  const known = offering.get(schema);
  if (known !== undefined) return known;
  const offers = schema.getQueryType()?.getFields()['rateLimit'] !== undefined;
  offering.set(schema, offers);
  return offers;
}

/**
 * Sets the value of the field `rateLimit` for this request. `numbers` is called only if the
 * operation selects the field.
 */
export function setRateLimit(contextValue: object, numbers: () => RateLimitNumbers): void {
  numbersOf.set(contextValue, numbers);
}

/** Copies the value to another context value, for a server that executes with a different one. */
export function passRateLimit(from: object, to: object): void {
  const numbers = numbersOf.get(from);
  if (numbers) numbersOf.set(to, numbers);
}

/**
 * Returns the document that is executed for a dry run: only the `rateLimit` fields of the
 * operation. Returns undefined unless one of these fields sets `dryRun`. Only fields directly at
 * the root of the operation count, and not those inside fragments.
 */
export function dryRunDocument(
  operation: OperationDefinitionNode,
  document: DocumentNode,
  variables: Readonly<Record<string, unknown>> | undefined,
): DocumentNode | undefined {
  if (operation.operation !== 'query') return undefined;
  const fields = operation.selectionSet.selections.filter(
    (selection) => selection.kind === Kind.FIELD && selection.name.value === 'rateLimit',
  );
  if (!fields.some((field) => asksForDryRun(field, variables))) return undefined;
  const selectionSet = { ...operation.selectionSet, selections: fields };
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  return { kind: Kind.DOCUMENT, definitions: [{ ...operation, selectionSet }, ...fragments] };
}

function asksForDryRun(field: SelectionNode, variables: Readonly<Record<string, unknown>> | undefined): boolean {
  if (field.kind !== Kind.FIELD) return false;
  const value = field.arguments?.find(({ name }) => name.value === 'dryRun')?.value;
  if (value?.kind === Kind.BOOLEAN) return value.value;
  return value?.kind === Kind.VARIABLE && variables?.[value.name.value] === true;
}
