import { type DocumentNode, type GraphQLSchema, Kind, type OperationDefinitionNode, type SelectionNode } from 'graphql';
import { createObjectNotes } from '../../runtime/create-object-notes.js';

/** What the field `rateLimit` answers: the caller's bucket after this operation, and what the operation costs. */
export interface RateLimitNumbers {
  cost: number;
  limit: number | null;
  remaining: number | null;
  used: number | null;
  resetAt: string | null;
  nodeCount: number;
}

/** To be put into the protected schema, with `rateLimitResolvers`. */
export const rateLimitTypeDefs = /* GraphQL */ `
  "What the caller's bucket holds after this operation. The numbers are null for callers who have none."
  type RateLimit {
    "What this operation costs at most, in tokens."
    cost: Int!
    "Tokens that fit into the bucket."
    limit: Int
    "Tokens left."
    remaining: Int
    "Tokens used."
    used: Int
    "When the bucket is full again, if nothing more is spent."
    resetAt: String
    "How many objects the operation can return at most."
    nodeCount: Int!
  }
  extend type Query {
    "What is left of the caller's bucket. With dryRun nothing but this field runs, and the minimum is paid."
    rateLimit(
      "Only say what the operation would cost."
      dryRun: Boolean = false
    ): RateLimit
  }
`;

/** By the context value of a request: the one thing that plugin and resolver both hold. No WeakMap: every request makes one. */
const numbersOf = createObjectNotes<object, () => RateLimitNumbers>();

export const rateLimitResolvers = {
  Query: {
    rateLimit: (_source: unknown, _arguments: unknown, contextValue: object): RateLimitNumbers | null =>
      numbersOf.get(contextValue)?.() ?? null,
  },
};

const offering = new WeakMap<GraphQLSchema, boolean>();

/** Whether the schema has the field at all: most have not, and their requests need not care for it. */
export function offersRateLimit(schema: GraphQLSchema): boolean {
  const known = offering.get(schema);
  if (known !== undefined) return known;
  const offers = schema.getQueryType()?.getFields()['rateLimit'] !== undefined;
  offering.set(schema, offers);
  return offers;
}

/** Says what the field answers in this request; worked out only if it is asked for. */
export function setRateLimit(contextValue: object, numbers: () => RateLimitNumbers): void {
  numbersOf.set(contextValue, numbers);
}

/** For a server that executes with another context value than the one it was asked with. */
export function passRateLimit(from: object, to: object): void {
  const numbers = numbersOf.get(from);
  if (numbers) numbersOf.set(to, numbers);
}

/**
 * The document that is left when an operation is only to be priced: its `rateLimit` fields, if one of them asks for
 * `dryRun`; else undefined. They have to stand at the root of the operation, where their field is.
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
