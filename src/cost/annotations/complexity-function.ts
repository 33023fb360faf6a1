import type { FieldNode, GraphQLCompositeType, GraphQLField } from 'graphql';

/**
 * The price of a field as a function of its arguments and of the price of one item below it. It is given what
 * graphql-query-complexity gives to its own.
 */
export type ComplexityFunction = (options: {
  args: Record<string, unknown>;
  childComplexity: number;
  field: GraphQLField<unknown, unknown>;
  /** The type that the field is on. */
  type: GraphQLCompositeType;
  /** One of its selections, where an operation has several alike. */
  node: FieldNode;
  /** That of the request, as the server hands it to resolvers; empty where a price is asked for without a request. */
  context: Readonly<Record<string, unknown>>;
}) => unknown;

/**
 * The price of a field by its author. The second argument holds the interfaces on which an operation selects the field; it
 * is empty where every selection stands on the object type.
 */
export type FieldComplexity = (
  options: Parameters<ComplexityFunction>[0],
  selectedOn: readonly GraphQLCompositeType[],
) => unknown;
