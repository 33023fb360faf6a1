import {
  type DocumentNode,
  GraphQLError,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isInterfaceType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  type TypeNode,
} from 'graphql';

/**
 * Maximum amount of work for suggestions. The amount is the number of characters of each unknown
 * name, multiplied by the number of names that it is compared with. At the maximum, suggestions
 * take about as long as the rest of the validation of the largest document.
 */
const MAX_GUESSES = 70_000;
/**
 * Maximum number of characters that count per name. graphql-js does not compare a longer name
 * character by character, because its length already shows that no name is similar.
 */
const MAX_LETTERS = 84;

/**
 * Returns an error for a document whose unknown names would make suggestions too expensive. For
 * each unknown name, graphql-js searches for the most similar names. For a type, it searches all
 * types of the schema. With a schema of a thousand types, a document with a hundred long unknown
 * names takes a third of a second. The error contains the first unknown name and no suggestions.
 */
export function checkNames(schema: GraphQLSchema, document: DocumentNode): GraphQLError | undefined {
  let guesses = 0;
  let unknown = 0;
  let first: string | undefined;
  const pending: [SelectionSetNode, GraphQLNamedType | undefined][] = [];

  const guess = (name: string, among: number, message: () => string): void => {
    unknown++;
    guesses += Math.min(name.length, MAX_LETTERS) * among;
    first ??= message();
  };
  const typeOf = (name: string): GraphQLNamedType | undefined => {
    const type = schema.getType(name);
    if (!type) guess(name, typeCountOf(schema), () => `Unknown type "${name}".`);
    return type;
  };
  const fieldOf = (name: string, parent: GraphQLNamedType | undefined): GraphQLNamedType | undefined => {
    if (!parent || name === '__typename') return undefined;
    if (parent === schema.getQueryType()) {
      if (name === '__schema') return schema.getType('__Schema');
      if (name === '__type') return schema.getType('__Type');
    }
    const fields = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields() : {};
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field) return getNamedType(field.type);
    // For a field of an abstract type, graphql-js also searches the possible types for one that has
    // the field.
    const types = isAbstractType(parent) ? schema.getPossibleTypes(parent).length : 0;
    guess(name, Object.keys(fields).length + types, () => `Cannot query field "${name}" on type "${parent.name}".`);
    return undefined;
  };

  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      pending.push([definition.selectionSet, typeOf(definition.typeCondition.name.value)]);
    } else if (definition.kind === Kind.OPERATION_DEFINITION) {
      for (const { type } of definition.variableDefinitions ?? []) typeOf(nameOf(type));
      pending.push([definition.selectionSet, schema.getRootType(definition.operation) ?? undefined]);
    }
  }
  for (let next = pending.pop(); next && guesses <= MAX_GUESSES; next = pending.pop()) {
    const [{ selections }, parent] = next;
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) continue;
      const { selectionSet } = selection;
      if (selection.kind === Kind.FIELD) {
        const type = fieldOf(selection.name.value, parent);
        if (selectionSet) pending.push([selectionSet, type]);
      } else if (selectionSet) {
        const { typeCondition } = selection;
        pending.push([selectionSet, typeCondition ? typeOf(typeCondition.name.value) : parent]);
      }
    }
  }
  if (guesses <= MAX_GUESSES || first === undefined) return undefined;
  const message = unknown === 1 ? first : `${first} The document has other unknown names too.`;
  return new GraphQLError(message, { extensions: { code: 'GRAPHQL_VALIDATION_FAILED', http: { status: 400 } } });
}

const typeCounts = new WeakMap<GraphQLSchema, number>();

/**
 * Returns the number of types of a schema. The number is cached, because listing hundreds of types
 * takes longer than checking a document.
 */
function typeCountOf(schema: GraphQLSchema): number {
  let count = typeCounts.get(schema);
  if (count === undefined) {
    count = Object.keys(schema.getTypeMap()).length;
    typeCounts.set(schema, count);
  }
  return count;
}

function nameOf(type: TypeNode): string {
  return type.kind === Kind.NAMED_TYPE ? type.name.value : nameOf(type.type);
}
