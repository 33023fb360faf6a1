import type { FieldNode, OperationDefinitionNode, SelectionSetNode } from 'graphql';
import { type ArgumentValue, readArgument } from './argument-value.js';
import {
  type CollectContext,
  type CollectedField,
  type Contribution,
  collectFields,
  MAX_DEPTH,
  tooDeep,
} from './collect.js';
import { CostError } from './cost-error.js';
import type { Fragments } from './fragments.js';
import { ALWAYS, createGuards, type Guard, type Guards } from './guard.js';
import { areConstant, type ListSizeSlot, readListSize, readSizeSources } from './list-size.js';
import type { OperationVariables } from './operation-variables.js';
import { fieldsBySet, partition } from './partition.js';
import type { PlanDirectives, PlanField, PlanGroup, PlanPart, PlanPosition } from './plan-tree.js';
import type { FieldModel, SchemaModel, TypeModel, TypeSet } from './schema-model.js';

/** An operation as the engine sees it: everything that does not depend on the values of variables. */
export interface CompiledOperation {
  readonly operation: OperationDefinitionNode;
  readonly variables: OperationVariables;
  /** Undefined: the schema has no such root type. */
  readonly root: PlanPosition | undefined;
  readonly sizeSlots: readonly ListSizeSlot[];
  /** Some field breaks `requireOneSlicingArgument` whatever the variables are. */
  readonly hasViolation: boolean;
}

export interface CompileOptions {
  readonly model: SchemaModel;
  readonly fragments: Fragments;
  readonly operation: OperationDefinitionNode;
  readonly variables: OperationVariables;
  /** Selections of leaf fields that have nothing of their own: the same objects in all plans of a schema. */
  readonly plainFields: PlainFields;
  /** Steps of work past which the operation is refused. */
  readonly maxSteps: number;
}

export type PlainFields = Map<FieldModel, PlanField>;

interface Compiler extends CollectContext {
  readonly plainFields: PlainFields;
  readonly guards: Guards;
  readonly variables: OperationVariables;
  readonly sizeSlots: ListSizeSlot[];
  readonly known: Map<SelectionSetNode, KnownPosition[]>;
  readonly merged: Map<string, PlanPosition | undefined>;
  readonly selectionSetIds: Map<SelectionSetNode, number>;
  hasViolation: boolean;
  depth: number;
}

/** The size that a field gives to the `sizedFields` below it. */
interface Sizing {
  readonly fields: ReadonlySet<string>;
  readonly size: number | ListSizeSlot;
}

interface KnownPosition {
  readonly type: TypeModel;
  readonly sizing: Sizing | undefined;
  /** Undefined while it is being compiled: to come back here then is a cycle. */
  position: PlanPosition | undefined;
}

const NOTHING: readonly PlanGroup[] = [];

/** @throws CostError OPERATION_TOO_COMPLEX when the budget is spent, selections nest too deeply, or fragments form a cycle */
export function compileOperation(options: CompileOptions): CompiledOperation {
  const { model, fragments, operation, variables, plainFields, maxSteps } = options;
  let steps = 0;
  const compiler: Compiler = {
    model,
    fragments,
    variables,
    plainFields,
    guards: createGuards(variables.indexOf),
    sizeSlots: [],
    known: new Map(),
    merged: new Map(),
    selectionSetIds: new Map(),
    hasViolation: false,
    depth: 0,
    spend: (more) => {
      steps += more;
      if (steps > maxSteps) {
        const detail = `pricing it takes more than ${maxSteps} steps; select fewer fields or spread fewer fragments`;
        throw new CostError('OPERATION_TOO_COMPLEX', detail, { nodes: [operation] });
      }
    },
  };
  const type = model.root(operation.operation);
  const contribution = { selectionSet: operation.selectionSet, guard: ALWAYS };
  const root = type && compilePosition(compiler, type, [contribution], undefined, false);
  return { operation, variables, root, sizeSlots: compiler.sizeSlots, hasViolation: compiler.hasViolation };
}

/** The position below a field; one that was met before, with the same sizes, is not compiled again. */
function compilePosition(
  compiler: Compiler,
  type: TypeModel,
  contributions: readonly Contribution[],
  sizing: Sizing | undefined,
  isShared: boolean,
): PlanPosition {
  if (!isShared) return buildPosition(compiler, type, contributions, sizing, false);
  const only = contributions.length === 1 ? contributions[0]! : undefined;
  if (only === undefined || only.guard !== ALWAYS) return compileMerged(compiler, type, contributions, sizing);

  const siblings = compiler.known.get(only.selectionSet) ?? [];
  const earlier = siblings.find((each) => each.type === type && sameSizing(each.sizing, sizing));
  if (earlier) return earlier.position ?? refuseCycle(only.selectionSet);
  const entry: KnownPosition = { type, sizing, position: undefined };
  siblings.push(entry);
  compiler.known.set(only.selectionSet, siblings);
  entry.position = buildPosition(compiler, type, contributions, sizing, true);
  return entry.position;
}

function compileMerged(
  compiler: Compiler,
  type: TypeModel,
  contributions: readonly Contribution[],
  sizing: Sizing | undefined,
): PlanPosition {
  const parts = contributions.map(({ selectionSet, guard }) => {
    const id = compiler.selectionSetIds.get(selectionSet) ?? compiler.selectionSetIds.size;
    compiler.selectionSetIds.set(selectionSet, id);
    return `${id}.${guard.id}`;
  });
  const key = `${type.name}|${sizingKey(sizing)}|${parts.sort().join()}`;
  compiler.spend(parts.length);
  if (compiler.merged.has(key)) return compiler.merged.get(key) ?? refuseCycle(contributions[0]!.selectionSet);
  compiler.merged.set(key, undefined);
  const position = buildPosition(compiler, type, contributions, sizing, true);
  compiler.merged.set(key, position);
  return position;
}

function refuseCycle(selectionSet: SelectionSetNode): never {
  throw new CostError('OPERATION_TOO_COMPLEX', 'a fragment spreads itself below its own fields', {
    nodes: [selectionSet],
  });
}

function sameSizing(a: Sizing | undefined, b: Sizing | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && a.fields === b.fields && a.size === b.size);
}

function sizingKey(sizing: Sizing | undefined): string {
  if (sizing === undefined) return '';
  const size = typeof sizing.size === 'number' ? `${sizing.size}` : `#${sizing.size.index}`;
  return `${size}:${[...sizing.fields].join()}`;
}

function buildPosition(
  compiler: Compiler,
  type: TypeModel,
  contributions: readonly Contribution[],
  sizing: Sizing | undefined,
  isShared: boolean,
): PlanPosition {
  if (++compiler.depth > MAX_DEPTH) throw tooDeep();
  const collected = collectFields(compiler, type, contributions, isShared);
  const groups = buildGroups(compiler, type, collected, sizing);
  compiler.depth--;
  return { type, groups, isShared };
}

function buildGroups(
  compiler: Compiler,
  type: TypeModel,
  collected: readonly CollectedField[],
  sizing: Sizing | undefined,
): readonly PlanGroup[] {
  const all = type.possible;
  if (all.types.length === 0) return NOTHING;
  const types = { base: all, without: undefined, weights: all.weights };
  if (collected.every((field) => field.types === all)) {
    return [{ types, parts: [{ fields: mergeByName(compiler, collected, sizing, false), isShared: false }] }];
  }

  const bySet = fieldsBySet(collected);
  const setOfName = new Map<string, TypeSet | 'several'>();
  for (const { responseName, types: set } of collected) {
    const known = setOfName.get(responseName);
    if (known === undefined) setOfName.set(responseName, set);
    else if (known !== set) setOfName.set(responseName, 'several');
  }
  // Response names that only one set has are the same for all its types; the others are merged per group.
  const ownParts = new Map<TypeSet, PlanPart>();
  const overlapping = new Map<TypeSet, CollectedField[]>();
  for (const [set, fields] of bySet) {
    const own = fields.filter((field) => setOfName.get(field.responseName) !== 'several');
    if (own.length > 0)
      ownParts.set(set, { fields: mergeByName(compiler, own, sizing, false), isShared: set.types.length > 1 });
    if (own.length < fields.length) {
      overlapping.set(
        set,
        fields.filter((field) => setOfName.get(field.responseName) === 'several'),
      );
    }
  }
  return partition(all, bySet.keys(), compiler.spend).map((atom) => {
    const parts: PlanPart[] = [];
    const mixed: CollectedField[] = [];
    for (const set of atom.sets) {
      const own = ownParts.get(set);
      if (own) parts.push(own);
      const others = overlapping.get(set);
      if (others) mixed.push(...others);
    }
    compiler.spend(parts.length + mixed.length);
    // The same selections come back in other groups, and may be compiled once for all of them.
    if (mixed.length > 0) parts.push({ fields: mergeByName(compiler, mixed, sizing, true), isShared: false });
    return { types: atom.types, parts };
  });
}

function mergeByName(
  compiler: Compiler,
  collected: readonly CollectedField[],
  sizing: Sizing | undefined,
  isShared: boolean,
): PlanField[] {
  // A field costs the same whatever comes before it, so the first of a name keeps its place.
  const byName = new Map<string, CollectedField | CollectedField[]>();
  for (const field of collected) {
    const known = byName.get(field.responseName);
    if (known === undefined) byName.set(field.responseName, field);
    else if (Array.isArray(known)) known.push(field);
    else byName.set(field.responseName, [known, field]);
  }
  const fields: PlanField[] = [];
  for (const entry of byName.values()) {
    fields.push(
      Array.isArray(entry)
        ? mergeFields(compiler, entry, sizing, isShared)
        : buildField(compiler, entry, entry.guard, coordinateOf(entry), undefined, sizing, isShared || entry.isShared),
    );
  }
  return fields;
}

function mergeFields(
  compiler: Compiler,
  entries: readonly CollectedField[],
  sizing: Sizing | undefined,
  isShared: boolean,
): PlanField {
  const first = entries[0]!;
  const guard = entries.map((entry) => entry.guard).reduce(compiler.guards.or);
  return buildField(
    compiler,
    first,
    guard,
    mergedCoordinate(entries),
    entries,
    sizing,
    isShared || entries.some((entry) => entry.isShared),
  );
}

/** On an object, its coordinate; on an interface, the interface's. */
function coordinateOf({ field, types, selectedOn }: CollectedField): string {
  return types.types.length === 1 ? field.coordinate : `${selectedOn.name}.${field.name}`;
}

/** The most precise of the coordinates, and the same one in whatever order the selections stand. */
function mergedCoordinate(entries: readonly CollectedField[]): string {
  const precise = entries.find((entry) => entry.types.types.length === 1);
  if (precise) return precise.field.coordinate;
  return entries.map(coordinateOf).reduce((a, b) => (a < b ? a : b));
}

function buildField(
  compiler: Compiler,
  first: CollectedField,
  guard: Guard,
  coordinate: string,
  merged: readonly CollectedField[] | undefined,
  sizing: Sizing | undefined,
  isShared: boolean,
): PlanField {
  const { field: model, node } = first;
  const isSized = model.listDepth > 0 && sizing !== undefined && sizing.fields.has(model.name);
  const isPlain = merged === undefined && !isSized && guard === ALWAYS && isPlainSelection(model, node);
  const plain = isPlain ? compiler.plainFields.get(model) : undefined;
  if (plain?.coordinate === coordinate) return plain;

  const given = readSize(compiler, model, node);
  const size = isSized ? sizing.size : ownSize(model, given.size);
  const field: PlanField = {
    responseName: first.responseName,
    model,
    coordinate,
    guard,
    node: isPlain ? undefined : node,
    priced: model.pricedArguments.length === 0 ? undefined : readArguments(compiler, model.pricedArguments, node),
    directives: readDirectives(compiler, merged ?? [first]),
    size,
    given: given.size,
    violatesSlicing: given.violates,
    child:
      model.child && !model.isFree
        ? compileChild(compiler, model.child, first, merged, guard, given.size, isShared)
        : undefined,
  };
  if (isPlain) compiler.plainFields.set(model, field);
  return field;
}

function isPlainSelection(model: FieldModel, node: FieldNode): boolean {
  return (
    (model.child === undefined || model.isFree) &&
    node.alias === undefined &&
    (node.arguments === undefined || node.arguments.length === 0) &&
    (node.directives === undefined || node.directives.length === 0) &&
    model.slicing.length === 0 &&
    model.complexity === undefined
  );
}

/** With `sizedFields` the size belongs to the lists below instead, and a list of such objects has the default one. */
function ownSize(model: FieldModel, given: number | ListSizeSlot): number | ListSizeSlot {
  if (model.listDepth === 0) return 1;
  return model.sizedFields === undefined ? given : model.defaultSize;
}

function compileChild(
  compiler: Compiler,
  type: TypeModel,
  first: CollectedField,
  merged: readonly CollectedField[] | undefined,
  guard: Guard,
  given: number | ListSizeSlot,
  isShared: boolean,
): PlanPosition {
  const { sizedFields } = first.field;
  const sizing = sizedFields && { fields: sizedFields, size: given };
  return compilePosition(compiler, type, contributionsOf(compiler, merged ?? [first], guard), sizing, isShared);
}

/** The selection sets below a field; their conditions are seen from inside of it, where its own one is known to hold. */
function contributionsOf(compiler: Compiler, entries: readonly CollectedField[], guard: Guard): Contribution[] {
  if (entries.length === 1) {
    const { selectionSet } = entries[0]!.node;
    return selectionSet ? [{ selectionSet, guard: ALWAYS }] : [];
  }
  const guards = new Map<SelectionSetNode, Guard>();
  for (const { node, guard: own } of entries) {
    if (node.selectionSet === undefined) continue;
    const known = guards.get(node.selectionSet);
    guards.set(node.selectionSet, known === undefined ? own : compiler.guards.or(known, own));
  }
  return [...guards].map(([selectionSet, own]) => ({ selectionSet, guard: own === guard ? ALWAYS : own }));
}

function readSize(
  compiler: Compiler,
  model: FieldModel,
  node: FieldNode,
): { size: number | ListSizeSlot; violates: boolean } {
  if (model.slicing.length === 0) return { size: model.fallbackSize, violates: false };
  const sources = readSizeSources(model, node, compiler.variables.indexOf);
  if (areConstant(sources)) {
    const { size, violates } = readListSize(model, sources, compiler.variables.none);
    if (violates) compiler.hasViolation = true;
    return { size, violates };
  }
  const slot = { index: compiler.sizeSlots.length, model, sources };
  compiler.sizeSlots.push(slot);
  return { size: slot, violates: false };
}

function readArguments(
  compiler: Compiler,
  inputs: FieldModel['pricedArguments'],
  node: Pick<FieldNode, 'arguments'>,
): ArgumentValue[] | undefined {
  const present = inputs
    .map((input) => readArgument(input, node.arguments, compiler.variables.indexOf))
    .filter((argument) => argument.constant !== undefined || argument.variable !== -1 || argument.isMixed);
  return present.length === 0 ? undefined : present;
}

function readDirectives(compiler: Compiler, entries: readonly CollectedField[]): PlanDirectives[] | undefined {
  let isPriced = false;
  const all = entries.map(({ node, guard }): PlanDirectives => {
    const priced: ArgumentValue[] = [];
    for (const directive of node.directives ?? []) {
      const inputs = compiler.model.directiveArguments(directive.name.value);
      if (inputs.length > 0) priced.push(...(readArguments(compiler, inputs, directive) ?? []));
    }
    if (priced.length > 0) isPriced = true;
    return { guard, priced };
  });
  return isPriced ? all : undefined;
}
