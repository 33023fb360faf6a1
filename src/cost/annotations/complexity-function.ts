import type { FieldNode, GraphQLCompositeType, GraphQLField } from 'graphql';

/**
 * Function that returns the price of a field from its arguments and the price of one item below it.
 * It receives the same options as a function of graphql-query-complexity.
 */
export type ComplexityFunction = (options: {
  args: Record<string, unknown>;
  childComplexity: number;
  field: GraphQLField<unknown, unknown>;
  /** Type that the field belongs to. */
  type: GraphQLCompositeType;
  /**
   * Selection of the field. If the operation contains several equal selections of the field, it is
   * one of them.
   */
  node: FieldNode;
  /**
   * Context of the request, as the server passes it to resolvers. Empty if a price is computed
   * without a request.
   */
  context: Readonly<Record<string, unknown>>;
}) => unknown;

/**
 * Price function of a field, provided by the user. `selectedOn` contains the interfaces on which an
 * operation selects the field. It is empty if every selection is on the object type.
 */
export type FieldComplexity = (
  options: Parameters<ComplexityFunction>[0],
  selectedOn: readonly GraphQLCompositeType[],
) => unknown;
