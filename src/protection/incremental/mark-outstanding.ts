import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isObjectType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { isObject } from '../../runtime/is-object.js';
import type { MergedResult } from './create-merge.js';
import type { GrowingData, Path } from './growing-data.js';

/** Operation whose response has parts that were not received. */
interface IncrementalOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Variables as the client sent them. */
  readonly variables: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Sets each position whose part was not received to null, and returns the paths. These are lists
 * whose stream failed, selected fields that are absent, and, before the last part, all lists with
 * `@stream`. They count at their estimated cost, because their resolvers may have run.
 */
export function markOutstanding(
  { data, failed, isComplete }: MergedResult,
  { schema, document, operation, variables }: IncrementalOperation,
): readonly Path[] {
  const marked: Path[] = failLists(data, failed);
  if (isComplete && failed.length === 0) return marked;
  const fragments = new Map(
    document.definitions.flatMap((one) => (one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one]] : [])),
  );

  function isTrue(directive: DirectiveNode | undefined, absent: boolean): boolean {
    const value = directive?.arguments?.find(({ name }) => name.value === 'if')?.value;
    if (value?.kind === Kind.BOOLEAN) return value.value;
    if (value?.kind !== Kind.VARIABLE) return absent;
    const name = value.name.value;
    const given = variables && Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (given !== undefined) return given === true;
    const defined = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name)?.defaultValue;
    return defined?.kind === Kind.BOOLEAN ? defined.value : absent;
  }

  function isSelected({ directives = [] }: { readonly directives?: readonly DirectiveNode[] }): boolean {
    const named = (text: string) => directives.find(({ name }) => name.value === text);
    return !isTrue(named('skip'), false) && isTrue(named('include'), true);
  }

  function isStreamed({ directives = [] }: FieldNode): boolean {
    const stream = directives.find(({ name }) => name.value === 'stream');
    return stream !== undefined && isTrue(stream, true);
  }

  /** Returns whether a fragment applies to the objects of a type. An unknown type is undefined. */
  function applies(condition: NamedTypeNode | undefined, type: GraphQLObjectType | undefined): boolean {
    const wanted = condition && schema.getType(condition.name.value);
    if (!wanted || !type || wanted === type) return true;
    return isAbstractType(wanted) && schema.isSubType(wanted, type);
  }

  /** Collects the selected fields of an object by response name. */
  function collect(
    sets: readonly SelectionSetNode[],
    type: GraphQLObjectType | undefined,
    fields = new Map<string, FieldNode[]>(),
    seen = new Set<string>(),
  ): Map<string, FieldNode[]> {
    for (const node of sets.flatMap(({ selections }) => selections)) {
      if (!isSelected(node)) continue;
      if (node.kind === Kind.FIELD) {
        const name = (node.alias ?? node.name).value;
        const known = fields.get(name);
        if (known) known.push(node);
        else fields.set(name, [node]);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        if (applies(node.typeCondition, type)) collect([node.selectionSet], type, fields, seen);
      } else if (!seen.has(node.name.value)) {
        seen.add(node.name.value);
        const fragment = fragments.get(node.name.value);
        if (fragment && applies(fragment.typeCondition, type)) collect([fragment.selectionSet], type, fields, seen);
      }
    }
    return fields;
  }

  function mark(path: Path, name: string): void {
    data.set(path, name, null);
    marked.push([...path, name]);
  }

  function visitObject(
    object: Record<string, unknown>,
    { sets, type, path }: { sets: readonly SelectionSetNode[]; type: GraphQLObjectType | undefined; path: Path },
  ): void {
    for (const [name, nodes] of collect(sets, type)) {
      const field = nodes[0]!.name.value;
      if (field === '__typename') continue;
      if (!Object.hasOwn(object, name) || object[name] === undefined) mark(path, name);
      else if (!isComplete && Array.isArray(object[name]) && nodes.some(isStreamed)) mark(path, name);
      else {
        const below = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
        const named = getNamedType(type?.getFields()[field]?.type);
        if (below.length > 0 && (named === undefined || isCompositeType(named)))
          visitValue(object[name], {
            sets: below,
            type: isObjectType(named) ? named : undefined,
            path: [...path, name],
          });
      }
    }
  }

  function visitValue(value: unknown, at: Parameters<typeof visitObject>[1]): void {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visitValue(item, { ...at, path: [...at.path, index] });
    } else if (isObject(value)) visitObject(value, at);
  }

  const root = schema.getRootType(operation.operation) ?? undefined;
  visitValue(data.data, { sets: [operation.selectionSet], type: root, path: [] });
  return marked;
}

/**
 * Sets the lists to null whose stream failed, and returns their paths. Some formats name the list,
 * and some the index of the item that failed.
 */
function failLists(data: GrowingData, failed: readonly Path[]): Path[] {
  return failed.flatMap((path) => {
    const list = typeof path.at(-1) === 'number' && data.valueAt(path) === undefined ? path.slice(0, -1) : path;
    if (!Array.isArray(data.valueAt(list))) return [];
    data.set(list.slice(0, -1), list.at(-1)!, null);
    return [list];
  });
}
