import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type GraphQLCompositeType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  type InlineFragmentNode,
  isAbstractType,
  isCompositeType,
  isObjectType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/** An operation with the variables of its request. */
export interface IncrementalOperation {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  /** Variables as the client sent them. */
  readonly variables: Readonly<Record<string, unknown>> | undefined;
}

/** Selections on the objects of one position. Each position has a single instance. */
export interface Selections {
  readonly sets: readonly SelectionSetNode[];
  /** Type of the objects; undefined if the data does not show it. */
  readonly type: GraphQLObjectType | undefined;
}

/** Selected field of an object. */
interface CollectedField {
  readonly responseName: string;
  readonly isStreamed: boolean;
  /**
   * Whether a later part may add the field to an object that lacks it. True if the type of the
   * object has the field, or if a deferred fragment selects it. If the type is unknown, any other
   * absent field belongs to another type.
   */
  readonly mayFollow: boolean;
  /** Selections on its objects; undefined for a scalar or an enum. */
  readonly below: Selections | undefined;
}

/**
 * Creates a function that returns the selected fields of the objects of a position. It computes them
 * once per position. A list may have 100,000 objects.
 * @param visited called with the number of selections that were visited
 */
export function createFieldCollector(
  { schema, document, operation, variables }: IncrementalOperation,
  visited: (selections: number) => void,
): (selections: Selections) => readonly CollectedField[] {
  const known = new Map<Selections, readonly CollectedField[]>();
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

  function has(directive: 'defer' | 'stream', { directives = [] }: SelectionNode): boolean {
    const node = directives.find(({ name }) => name.value === directive);
    return node !== undefined && isTrue(node, true);
  }

  /** Returns whether a fragment applies to the objects of a type. An unknown type is undefined. */
  function applies(condition: NamedTypeNode | undefined, type: GraphQLObjectType | undefined): boolean {
    const wanted = condition && schema.getType(condition.name.value);
    if (!wanted || !type || wanted === type) return true;
    return isAbstractType(wanted) && schema.isSubType(wanted, type);
  }

  /** Adds the selected fields to `fields`, by response name. */
  function addFields(
    { sets, type }: Selections,
    fields: Map<string, SelectedNodes>,
    isDeferred = false,
    seen = new Set<string>(),
  ): Map<string, SelectedNodes> {
    const addFragment = (node: FragmentSpreadNode | InlineFragmentNode, at: FragmentNode | undefined) => {
      if (!at || !applies(at.typeCondition, type)) return;
      addFields({ sets: [at.selectionSet], type }, fields, isDeferred || has('defer', node), seen);
    };
    for (const { selections } of sets) {
      visited(selections.length);
      for (const node of selections) {
        if (!isSelected(node)) continue;
        if (node.kind === Kind.FIELD) {
          const name = (node.alias ?? node.name).value;
          const known = fields.get(name) ?? { nodes: [], isDeferred: true };
          known.nodes.push(node);
          known.isDeferred &&= isDeferred;
          fields.set(name, known);
        } else if (node.kind === Kind.INLINE_FRAGMENT) addFragment(node, node);
        else {
          const key = `${node.name.value} ${isDeferred || has('defer', node)}`;
          if (seen.has(key)) continue;
          seen.add(key);
          addFragment(node, fragments.get(node.name.value));
        }
      }
    }
    return fields;
  }

  function collect(selections: Selections): readonly CollectedField[] {
    const collected: CollectedField[] = [];
    for (const [responseName, { nodes, isDeferred }] of addFields(selections, new Map())) {
      const name = nodes[0]!.name.value;
      if (name === '__typename') continue;
      const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
      const named = getNamedType(selections.type?.getFields()[name]?.type);
      const below = sets.length > 0 && mayBeComposite(named) ? { sets, type: objectTypeOf(named) } : undefined;
      const isStreamed = nodes.some((node) => has('stream', node));
      collected.push({ responseName, isStreamed, mayFollow: isDeferred || selections.type !== undefined, below });
    }
    return collected;
  }

  return (selections) => {
    let fields = known.get(selections);
    if (fields === undefined) {
      fields = collect(selections);
      known.set(selections, fields);
    }
    return fields;
  };
}

type FragmentNode = FragmentDefinitionNode | InlineFragmentNode;

/** Fields of one response name. */
interface SelectedNodes {
  readonly nodes: FieldNode[];
  /** Whether only deferred fragments select the field. */
  isDeferred: boolean;
}

type NamedType = ReturnType<typeof getNamedType>;

function mayBeComposite(type: NamedType | undefined): type is GraphQLCompositeType | undefined {
  return type === undefined || isCompositeType(type);
}

function objectTypeOf(type: GraphQLCompositeType | undefined): GraphQLObjectType | undefined {
  return isObjectType(type) ? type : undefined;
}
