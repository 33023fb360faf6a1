import * as graphql from 'graphql';
import {
  type ConstDirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLArgument,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  getVariableValues,
  isAbstractType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromAST,
  valueFromASTUntyped,
} from 'graphql';

/**
 * Options of the brute-force price of an operation. The reference goes through all runtime types of
 * every object, collects the fields as execution does, and adds up their prices. It takes the most
 * expensive type. It is slow, because it has no caches and no compilation, but it evidently follows
 * the rules. It shares no code with the engine.
 */
export interface ReferenceOptions {
  profile: 'tokens' | 'apollo' | 'typeCost' | 'fieldCost' | 'nodes';
  defaultListSize: number;
}

export interface ReferenceCase {
  schema: GraphQLSchema;
  document: DocumentNode;
  variables: Record<string, unknown>;
}

interface WeightOfInput {
  weight: number;
  perElement: boolean;
}

/** Error for operations that the rules reject. */
export class SlicingArgumentError extends Error {}

export interface ReferenceSizing {
  /**
   * Names of the sized fields, and paths such as `one { list }`. A number n means the lists of a
   * page that is n levels below the field.
   */
  fields: string[] | number;
  size: number;
  /**
   * Number of levels below the field on which a size may be smaller than the default. On deeper
   * levels, the default size is the minimum. If the number is negative, it is also the minimum for
   * the list that the field itself returns.
   */
  exactLevels: number;
}

/** Maximum depth of the search for a page. */
const PAGE_LEVELS = 3;

export function createReference({ schema, document, variables }: ReferenceCase, options: ReferenceOptions) {
  const { profile, defaultListSize } = options;
  // Profile `apollo` reproduces Apollo Router, which does not infer sizes from the names of
  // arguments.
  const infers = profile !== 'apollo';
  const operation = document.definitions.find((each) => each.kind === 'OperationDefinition') as OperationDefinitionNode;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === 'FragmentDefinition') fragments.set(definition.name.value, definition);
  }
  const read: { coerced?: Record<string, unknown> | undefined; variableValues?: Record<string, unknown> } =
    getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  // graphql 17 returns the values in an object that its other functions need, such as
  // `getArgumentValues`. graphql 16 returns the plain values.
  const coerced = read.variableValues ?? read.coerced;
  if (coerced === undefined) throw new Error('the case has variables that cannot be coerced');
  const byName = (read.variableValues?.['coerced'] ?? coerced) as Record<string, unknown>;
  const rootType = { query: schema.getQueryType(), mutation: schema.getMutationType(), subscription: null }[
    operation.operation
  ] as GraphQLObjectType;

  // ---- annotations

  function directive(node: { directives?: readonly ConstDirectiveNode[] } | null | undefined, name: string) {
    const found = node?.directives?.find((each) => each.name.value === name);
    if (!found) return undefined;
    return Object.fromEntries(
      (found.arguments ?? []).map((each) => [each.name.value, valueFromASTUntyped(each.value)]),
    );
  }

  function weight(element: { astNode?: unknown }): number | undefined {
    const found = directive(element.astNode as { directives?: readonly ConstDirectiveNode[] } | undefined, 'cost');
    return found && Number(found['weight']);
  }

  function inputWeightOf(element: { astNode?: unknown }): WeightOfInput | undefined {
    const found = directive(element.astNode as { directives?: readonly ConstDirectiveNode[] } | undefined, 'cost');
    return found && { weight: Number(found['weight']), perElement: found['perElement'] === true };
  }

  /**
   * Returns the field of an object type, then those of its interfaces. The first annotated one
   * counts.
   */
  function sameFields(type: GraphQLObjectType, name: string) {
    return [type, ...type.getInterfaces()].flatMap((each) => each.getFields()[name] ?? []);
  }

  function fieldWeight(type: GraphQLObjectType, name: string): number | undefined {
    return sameFields(type, name)
      .map(weight)
      .find((each) => each !== undefined);
  }

  function argumentWeight(type: GraphQLObjectType, name: string, argument: string): WeightOfInput | undefined {
    return sameFields(type, name)
      .flatMap((field) => field.args.filter((each) => each.name === argument))
      .map(inputWeightOf)
      .find((each) => each !== undefined);
  }

  // ---- weights

  const objectDefault = profile === 'fieldCost' ? 0 : 1;

  function typeWeight(type: GraphQLNamedType): number {
    if (profile === 'fieldCost') return 0;
    // Every object counts as one, whatever its weight is.
    if (profile === 'nodes') return isObjectType(type) ? 1 : 0;
    return weight(type) ?? (isObjectType(type) ? objectDefault : 0);
  }

  function inputWeight(type: GraphQLInputType, annotated: WeightOfInput | undefined, value: unknown): number {
    const named = getNamedType(type);
    if (annotated?.perElement)
      return annotated.weight * elementsOf(type, value).length + inputFieldsWeight(named, value);
    const own = annotated?.weight;
    if (profile === 'apollo') {
      if (value === null) return 0;
      const nullable = isNonNullType(type) ? type.ofType : type;
      if (isListType(nullable)) {
        const items = (value as unknown[]).map((each) => inputWeight(nullable.ofType, annotated, each));
        return (own ?? 0) + items.reduce((a, b) => a + b, 0);
      }
    }
    const start = own ?? (['fieldCost', 'apollo'].includes(profile) && isInputObjectType(named) ? 1 : 0);
    return start + inputFieldsWeight(named, value);
  }

  /**
   * Returns all elements of a list and of its inner lists. An inner list without elements, and null
   * in a list, are elements too.
   */
  function elementsOf(type: GraphQLInputType, value: unknown): unknown[] {
    const nullable = isNonNullType(type) ? type.ofType : type;
    if (!isListType(nullable) || !Array.isArray(value)) return value === null ? [] : [value];
    return value.flatMap((each) => {
      const inner = elementsOf(nullable.ofType, each);
      return inner.length > 0 ? inner : [each];
    });
  }

  function inputFieldsWeight(named: GraphQLNamedType, value: unknown): number {
    if (!isInputObjectType(named) || value === null) return 0;
    if (Array.isArray(value)) return value.map((each) => inputFieldsWeight(named, each)).reduce((a, b) => a + b, 0);
    return Object.entries(value as object)
      .map(([name, inner]) => {
        const field = named.getFields()[name]!;
        return inputWeight(field.type, inputWeightOf(field), inner);
      })
      .reduce((a, b) => a + b, 0);
  }

  function directiveWeight(node: FieldNode): number {
    let sum = 0;
    for (const each of node.directives ?? []) {
      const definition = schema.getDirective(each.name.value)!;
      const values = getArgumentValues(definition, each, coerced);
      for (const argument of definition.args) {
        if (argument.name in values) sum += inputWeight(argument.type, inputWeightOf(argument), values[argument.name]);
      }
    }
    return sum;
  }

  // ---- sizes

  function at(value: unknown, path: string[]): unknown {
    return path.reduce<unknown>((inner, name) => (inner as Record<string, unknown> | null | undefined)?.[name], value);
  }

  /**
   * Returns the list sizes that the arguments and the annotation of a field define.
   * @throws SlicingArgumentError if the operation gives too many or too few slicing arguments
   */
  function listSize(
    type: GraphQLObjectType,
    node: FieldNode,
  ): { given?: number | undefined; assumed?: number | undefined; sizedFields: string[] | number; exactLevels: number } {
    const annotated = sameFields(type, node.name.value)
      .map((each) => directive(each.astNode, 'listSize'))
      .find((each) => each !== undefined);
    const field = type.getFields()[node.name.value]!;
    const values = getArgumentValues(field, node, coerced);
    const isMutation = type === schema.getMutationType();
    const canInfer = annotated === undefined && infers && (isList(field.type) || hasPages(getNamedType(field.type), 1));
    const inferred = canInfer ? inferredNames(field, isMutation) : { names: [], exactLevels: 0 };
    const { names, exactLevels } = inferred;
    if (annotated === undefined && names.length === 0) return { sizedFields: [], exactLevels };
    const slicing = annotated === undefined ? names : ((annotated['slicingArguments'] ?? []) as string[]);
    const amounts: number[] = [];
    let given = 0;
    let hasDefault = false;
    for (const path of slicing) {
      const [name, ...below] = path.split('.') as [string, ...string[]];
      const value = at(values[name], below);
      const definition = field.args.find((each) => each.name === name)!;
      if (defaultAt(definition, below) !== undefined) hasDefault = true;
      if (value === undefined || value === null) continue;
      if (typeof value === 'number' && value < 0) {
        // A negative size counts as absent, so the default of the argument applies.
        const instead = memberAt(definition, below);
        if (typeof instead === 'number' && instead >= 0) amounts.push(instead);
        continue;
      }
      amounts.push(Array.isArray(value) ? value.length : (value as number));
      const argument = node.arguments?.find((each) => each.name.value === name);
      if (argument && isGiven(argument.value, below)) given++;
    }
    if (slicing.length > 0 && annotated !== undefined && annotated['requireOneSlicingArgument'] !== false) {
      const isAsked = annotated['requireOneSlicingArgument'] === true || !infers;
      const isMissing = isAsked && given === 0 && !hasDefault;
      if (given > 1 || isMissing) throw new SlicingArgumentError(`${type.name}.${field.name}`);
    }
    const least = exactLevels < 0 ? defaultListSize : 0;
    return {
      given: amounts.length > 0 ? Math.max(...amounts, least) : undefined,
      assumed: (annotated?.['assumedSize'] as number | null) ?? undefined,
      sizedFields:
        annotated === undefined && !isList(field.type) ? 1 : ((annotated?.['sizedFields'] ?? []) as string[]),
      exactLevels: annotated === undefined ? exactLevels : Number.POSITIVE_INFINITY,
    };
  }

  /**
   * Returns the arguments whose name and type define the length of the lists. The names are those
   * of random schemas.
   */
  function inferredNames({ args }: GraphQLField<unknown, unknown>, isMutation: boolean) {
    const names = ['first', 'last', 'limit', 'take', 'pageSize', 'perPage', 'count'];
    const numbers = args.filter((each) => names.includes(each.name) && String(each.type) === 'Int');
    const paging = args.filter((each) => each.name === 'page' && String(each.type) === 'Paging');
    const paths = [...numbers.map((each) => each.name), ...paging.map((each) => `${each.name}.take`)];
    const bulk = args.filter((each) => isListType(each.type) && isInputObjectType(getNamedType(each.type)));
    if (bulk.length === 0 || (paths.length > 0 && !isMutation)) {
      return { names: paths, exactLevels: Number.POSITIVE_INFINITY };
    }
    return { names: [...paths, ...bulk.map((each) => each.name)], exactLevels: isMutation ? 1 : -1 };
  }

  // ---- pages

  function objectsOf(named: GraphQLNamedType): GraphQLObjectType[] {
    if (isObjectType(named)) return [named];
    return isAbstractType(named) ? [...schema.getPossibleTypes(named)] : [];
  }

  function isObjectList({ name, type }: GraphQLField<unknown, unknown>): boolean {
    return isList(type) && isCompositeType(getNamedType(type)) && !/errors$/i.test(name);
  }

  function isAnnotated(type: GraphQLObjectType, name: string): boolean {
    return sameFields(type, name).some((each) => directive(each.astNode, 'listSize') !== undefined);
  }

  function isPage(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>): boolean {
    return isObjectList(field) && !isAnnotated(type, field.name);
  }

  /**
   * Returns whether the page argument of a field above this field also applies below this field.
   */
  function leadsOn(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>): boolean {
    if (isList(field.type) || !isCompositeType(getNamedType(field.type))) return false;
    if (Object.values(type.getFields()).some(isObjectList)) return false;
    if (isAnnotated(type, field.name)) return false;
    return inferredNames(field, type === schema.getMutationType()).names.length === 0;
  }

  function hasPages(named: GraphQLNamedType, level: number): boolean {
    if (level > PAGE_LEVELS) return false;
    return objectsOf(named).some((type) =>
      Object.values(type.getFields()).some(
        (field) => isPage(type, field) || (leadsOn(type, field) && hasPages(getNamedType(field.type), level + 1)),
      ),
    );
  }

  /** Returns the part of a sizing that applies below a field, or undefined if no part does. */
  function nestedSizing(
    sizing: ReferenceSizing | undefined,
    type: GraphQLObjectType,
    field: GraphQLField<unknown, unknown>,
  ): ReferenceSizing | undefined {
    if (sizing === undefined) return undefined;
    const { fields } = sizing;
    if (typeof fields === 'number') {
      return fields < PAGE_LEVELS && leadsOn(type, field) ? { ...sizing, fields: fields + 1 } : undefined;
    }
    const paths = fields.filter((path) => path.startsWith(`${field.name} {`));
    if (paths.length === 0) return undefined;
    return { ...sizing, fields: paths.map((path) => path.slice(path.indexOf('{') + 1, -1).trim()) };
  }

  /** Returns the default of an argument, or of the input field at a path below it. */
  function memberAt(definition: GraphQLArgument, below: string[]): unknown {
    let input: GraphQLArgument | GraphQLInputField = definition;
    for (const name of below) {
      const named = getNamedType(input.type);
      if (!isInputObjectType(named)) return undefined;
      input = named.getFields()[name]!;
    }
    return defaultOf(input);
  }

  function defaultAt(definition: GraphQLArgument, below: string[]): unknown {
    const first = at(defaultOf(definition), below);
    if (below.length === 0 || (first !== undefined && first !== null)) return first ?? undefined;
    let named = getNamedType(definition.type);
    let found: unknown;
    for (const name of below) {
      if (!isInputObjectType(named)) return undefined;
      const field = named.getFields()[name];
      found = field && defaultOf(field);
      if (!field) return undefined;
      named = getNamedType(field.type);
    }
    return found ?? undefined;
  }

  function isGiven(node: import('graphql').ValueNode, below: string[]): boolean {
    if (node.kind === 'Variable') {
      const name = node.name.value;
      const value = Object.hasOwn(variables, name) ? variables[name] : byName[name];
      return at(value, below) !== undefined;
    }
    if (below.length === 0) return true;
    if (node.kind !== 'ObjectValue') return false;
    const field = node.fields.find((each) => each.name.value === below[0]);
    return field !== undefined && isGiven(field.value, below.slice(1));
  }

  // ---- collecting, as execution does it

  function isIncluded(node: { directives?: readonly import('graphql').DirectiveNode[] | undefined }): boolean {
    const target = node as { readonly directives?: readonly import('graphql').DirectiveNode[] };
    if (getDirectiveValues(GraphQLSkipDirective, target, coerced)?.['if'] === true) return false;
    return getDirectiveValues(GraphQLIncludeDirective, target, coerced)?.['if'] !== false;
  }

  function applies(type: GraphQLObjectType, condition: string | undefined): boolean {
    if (condition === undefined) return true;
    const named = schema.getType(condition)!;
    return named === type || (isAbstractType(named) && schema.isSubType(named, type));
  }

  function collect(type: GraphQLObjectType, sets: SelectionSetNode[]): Map<string, FieldNode[]> {
    const fields = new Map<string, FieldNode[]>();
    const visited = new Set<string>();
    const visit = (set: SelectionSetNode): void => {
      for (const selection of set.selections) {
        if (!isIncluded(selection)) continue;
        if (selection.kind === 'Field') {
          const name = (selection.alias ?? selection.name).value;
          fields.set(name, [...(fields.get(name) ?? []), selection]);
        } else if (selection.kind === 'InlineFragment') {
          if (applies(type, selection.typeCondition?.name.value)) visit(selection.selectionSet);
        } else if (!visited.has(selection.name.value)) {
          visited.add(selection.name.value);
          const fragment = fragments.get(selection.name.value)!;
          if (applies(type, fragment.typeCondition.name.value)) visit(fragment.selectionSet);
        }
      }
    };
    for (const set of sets) visit(set);
    return fields;
  }

  // ---- one field

  function isList(type: GraphQLOutputType): boolean {
    return isListType(isNonNullType(type) ? type.ofType : type);
  }

  function innerLists(type: GraphQLOutputType): number {
    let depth = 0;
    for (let each = type; isListType(each) || isNonNullType(each); each = each.ofType) if (isListType(each)) depth++;
    return Math.max(0, depth - 1);
  }

  interface FieldView {
    responseName: string;
    name: string;
    coordinates: string[];
    call: number;
    /** Number of items of the outermost list. */
    outer: number;
    /** Number of items that have a price: of all levels, or only of the outermost one. */
    items: number;
    /** Number of items of all levels, also if the price counts only the outermost one. */
    all: number;
    type: GraphQLOutputType;
    possible: GraphQLObjectType[];
    sets: SelectionSetNode[];
    sizing: ReferenceSizing | undefined;
    /** Weight of each item if its runtime type does not determine it. */
    itemWeight: number | undefined;
  }

  function view(
    type: GraphQLObjectType,
    nodes: FieldNode[],
    sizing: ReferenceSizing | undefined,
  ): FieldView | undefined {
    const node = nodes[0]!;
    const name = node.name.value;
    const field = type.getFields()[name];
    if (field === undefined) return undefined;
    const named = getNamedType(field.type);
    const { given, assumed, sizedFields, exactLevels } = listSize(type, node);
    const sizesBelow = typeof sizedFields === 'number' || sizedFields.length > 0;
    // If a field has `sizedFields`, its sizes apply to the lists below it, not to the field itself.
    const own = sizesBelow ? {} : { given, assumed };
    let outer = own.given ?? own.assumed ?? defaultListSize;
    if (!isList(field.type)) outer = 1;
    else if (typeof sizing?.fields === 'number') {
      const fromPage = Math.max(sizing.size, sizing.fields > sizing.exactLevels ? defaultListSize : 0);
      if (isPage(type, field)) {
        const mayBeFilter = exactLevels < 0;
        outer = own.given !== undefined && !mayBeFilter ? own.given : Math.max(fromPage, own.given ?? 0);
      }
    } else if (sizing?.fields.includes(name))
      outer = profile === 'apollo' ? sizing.size : Math.max(sizing.size, own.given ?? 0);
    const below = given ?? assumed;
    const sizingBelow = (): ReferenceSizing | undefined => {
      const nested = nestedSizing(sizing, type, field);
      // The sizing of a field above has precedence over a size inferred from an argument's name.
      if (!sizesBelow || (typeof sizedFields === 'number' && nested !== undefined)) return nested;
      return below === undefined ? undefined : { fields: sizedFields, size: below, exactLevels };
    };
    const multiplies = profile === 'tokens' || profile === 'apollo' || profile === 'nodes';
    const all = outer * defaultListSize ** innerLists(field.type);
    const items = multiplies ? all : outer;
    const annotated = fieldWeight(type, name);
    let call = 0;
    if (profile !== 'typeCost' && profile !== 'nodes') {
      const values = getArgumentValues(field, node, coerced);
      if (profile !== 'apollo') call += annotated ?? (profile === 'fieldCost' && isCompositeType(named) ? 1 : 0);
      for (const argument of field.args) {
        if (!(argument.name in values)) continue;
        call += inputWeight(argument.type, argumentWeight(type, name, argument.name), values[argument.name]);
      }
      call = Math.max(0, call + Math.max(...nodes.map(directiveWeight)));
    }
    const leafWeight = isCompositeType(named) ? undefined : typeWeight(named);
    return {
      responseName: (node.alias ?? node.name).value,
      name,
      outer,
      type: field.type,
      coordinates: [type, ...type.getInterfaces()].flatMap((each) =>
        each.getFields()[name] ? [`${each.name}.${name}`] : [],
      ),
      call,
      items,
      all,
      possible: isAbstractType(named) ? [...schema.getPossibleTypes(named)] : isObjectType(named) ? [named] : [],
      sets: nodes.flatMap((each) => each.selectionSet ?? []),
      sizing: sizingBelow(),
      itemWeight: profile === 'apollo' && annotated !== undefined ? annotated : leafWeight,
    };
  }

  function views(type: GraphQLObjectType, sets: SelectionSetNode[], sizing: ReferenceSizing | undefined): FieldView[] {
    return [...collect(type, sets).values()].flatMap((nodes) => view(type, nodes, sizing) ?? []);
  }

  // ---- adding up, and taking the most expensive

  function selections(type: GraphQLObjectType, sets: SelectionSetNode[], sizing: ReferenceSizing | undefined): number {
    return views(type, sets, sizing)
      .map(fieldCost)
      .reduce((a, b) => a + b, 0);
  }

  function fieldCost({ call, items, possible, sets, sizing, itemWeight }: FieldView): number {
    let item = itemWeight ?? 0;
    if (possible.length > 0) {
      const own = possible.map((type) => itemWeight ?? typeWeight(type));
      const below = possible.map((type) => selections(type, sets, sizing));
      item =
        profile === 'typeCost'
          ? Math.max(...own) + Math.max(...below)
          : Math.max(...own.map((each, index) => each + below[index]!));
    }
    return call + Math.max(0, items * item);
  }

  function root(): number {
    if (profile === 'fieldCost' || profile === 'nodes') return 0;
    if (profile === 'typeCost') return weight(rootType) ?? 1;
    return weight(rootType) ?? (operation.operation === 'mutation' ? 10 : 0);
  }

  /**
   * Returns the cost of the outermost matching fields and the number of calls of matching fields,
   * each for its own worst case.
   */
  function measure(
    type: GraphQLObjectType,
    sets: SelectionSetNode[],
    sizing: ReferenceSizing | undefined,
    matches: (coordinate: string) => boolean,
  ): { cost: number; calls: number } {
    let cost = 0;
    let calls = 0;
    for (const field of views(type, sets, sizing)) {
      const below = field.possible.map((each) => measure(each, field.sets, field.sizing, matches));
      const isMatch = field.coordinates.some(matches);
      if (isMatch) cost += fieldCost(field);
      // A matching field is called once for each item of all list levels, even if the price counts
      // only the items of the outermost level.
      else cost += field.all * Math.max(0, ...below.map((each) => each.cost));
      calls += (isMatch ? 1 : 0) + field.all * Math.max(0, ...below.map((each) => each.calls));
    }
    return { cost, calls };
  }

  /** Returns the actual cost of a response whose objects have their type under `__tn`. */
  function actual(type: GraphQLObjectType, sets: SelectionSetNode[], data: Record<string, unknown>): number {
    let sum = 0;
    for (const field of views(type, sets, undefined)) {
      const value = data[field.responseName];
      if (value === undefined) continue;
      const items = [value].flat(Number.POSITIVE_INFINITY).filter((each) => each !== null) as Record<string, unknown>[];
      const below = items.map((item) => {
        if (field.possible.length === 0) return field.itemWeight ?? 0;
        const own = schema.getType(item['__tn'] as string) as GraphQLObjectType;
        return (field.itemWeight ?? typeWeight(own)) + actual(own, field.sets, item);
      });
      sum +=
        field.call +
        Math.max(
          0,
          below.reduce((a, b) => a + b, 0),
        );
    }
    return sum;
  }

  return {
    actual: (data: unknown) => {
      const below = data === null ? 0 : actual(rootType, [operation.selectionSet], data as Record<string, unknown>);
      return Math.max(0, root() + below);
    },
    /** Cost of a returned object. */
    weightOf: typeWeight,
    /** Returns the price of a call, the number of its items, and the sizes of the lists below. */
    view,
    cost: () => Math.max(0, root() + selections(rootType, [operation.selectionSet], undefined)),
    measure: (matches: (coordinate: string) => boolean) =>
      measure(rootType, [operation.selectionSet], undefined, matches),
  };
}

/** Returns the default value. graphql 17 keeps it as the literal of the source. */
function defaultOf({ type, defaultValue, astNode }: GraphQLArgument | GraphQLInputField): unknown {
  const written = astNode?.defaultValue;
  const { coerceInputLiteral: literalOf = valueFromAST } = graphql as { coerceInputLiteral?: typeof valueFromAST };
  return defaultValue === undefined && written !== undefined ? literalOf(written, type) : defaultValue;
}
