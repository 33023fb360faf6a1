import type { FieldNode, OperationDefinitionNode, SelectionNode, SelectionSetNode } from 'graphql';
import type { FieldModel, SchemaModel, TypeModel } from '../schema/schema-model.js';
import { BUDGET_SPENT, MAX_DEPTH, spend, tooDeep, tooManySteps } from './budget.js';
import { type CollectedField, type Contribution, collectFields } from './collect-fields.js';
import type { CompiledOperation, PlanField, PlanGroup, PlanPart, PlanPosition } from './compiled-operation.js';
import type { Compiler } from './compiler.js';
import { ALWAYS, type Condition, createConditions, either } from './condition.js';
import type { Fragments } from './fragments.js';
import { isOneOfMany, type KnownPosition, mergedKey, positionsOf, rejectCycle } from './known-positions.js';
import { contributionsOf, coordinateOf, interfacesOf, mergeByName, mergedCoordinate } from './merge-by-name.js';
import type { OperationVariables } from './operation-variables.js';
import {
  ownSize,
  readArguments,
  readDirectives,
  readSize,
  rejectionOf,
  sizedSize,
  sizingBelow,
  VIOLATED,
} from './read-arguments.js';
import { isPlainNode, isPlainSelection, readSimpleFields } from './read-simple-fields.js';
import { SelectionShapes } from './selection-shapes.js';
import { type Sizing, sameSizing, sizesList } from './sizing.js';
import { splitByType } from './split-by-type.js';
import { createUpperBoundGroups } from './upper-bound-groups.js';

interface CompileOptions {
  readonly model: SchemaModel;
  readonly fragments: Fragments;
  readonly operation: OperationDefinitionNode;
  readonly variables: OperationVariables;
  /** Maximum number of steps of an exact compilation. */
  readonly maxSteps: number;
}

const NO_GROUPS: readonly PlanGroup[] = [];
const NO_PARTS: readonly PlanPart[] = [];

/**
 * Compiles an operation exactly. If this takes more than `maxSteps` steps, compiles it again so
 * that its price is an upper bound.
 * @throws CostError OPERATION_TOO_COMPLEX if selections are nested too deeply, fragments form a
 * cycle, or the compilation of the upper bound takes too many steps too
 */
export function compileOperation(options: CompileOptions): CompiledOperation {
  const exactly = compileWithin(options, false);
  if (exactly) return exactly;
  const maxSteps = options.maxSteps * UPPER_BOUND_FACTOR;
  const byBound = compileWithin({ ...options, maxSteps }, true);
  if (byBound) return byBound;
  throw tooManySteps(maxSteps);
}

/** Compiles an operation; returns undefined if that takes more than `maxSteps` steps. */
function compileWithin(options: CompileOptions, isUpperBound: boolean): CompiledOperation | undefined {
  try {
    return compileBy(options, isUpperBound);
  } catch (error) {
    if (error === BUDGET_SPENT) return undefined;
    throw error;
  }
}

/**
 * Factor by which the maximum number of steps is higher for an upper bound than for an exact
 * compilation. Most steps of an upper bound are short, and the selections that cause them raise the
 * price of the operation.
 */
const UPPER_BOUND_FACTOR = 16;

function compileBy(options: CompileOptions, isUpperBound: boolean): CompiledOperation {
  const { model, fragments, operation, variables, maxSteps } = options;
  const compiler: Compiler = {
    model,
    fragments,
    variables,
    conditions: createConditions(variables),
    sizeSlots: [],
    known: undefined,
    merged: undefined,
    alike: undefined,
    abstractCount: 0,
    shapes: new SelectionShapes(),
    fields: [],
    upperBoundGroups: undefined,
    fieldCount: 0,
    hasRejection: false,
    hasChoice: false,
    depth: 0,
    steps: 0,
    maxSteps,
  };
  if (isUpperBound) {
    compiler.upperBoundGroups = createUpperBoundGroups(
      compiler,
      ({ model: field, node, coordinate, selectedOn, condition }, sizing) =>
        buildField(compiler, field, node, undefined, coordinate, selectedOn, undefined, condition, sizing, true),
    );
  }
  const type = model.root(operation.operation);
  const root = type && compileSelectionSet(compiler, type, operation.selectionSet, undefined, isUpperBound);
  const { sizeSlots, hasRejection, hasChoice, steps } = compiler;
  const mayCallFunctions = model.hasFunctions;
  return {
    operation,
    variables,
    root,
    sizeSlots,
    hasRejection,
    hasConditions: compiler.conditions.interned !== undefined,
    hasChoice,
    isUpperBound,
    mayCallFunctions,
    steps,
  };
}

/**
 * Compiles the position below a field, or returns one compiled earlier from an equal selection set,
 * with the same type and size.
 */
function compileSelectionSet(
  compiler: Compiler,
  type: TypeModel,
  selectionSet: SelectionSetNode,
  sizing: Sizing | undefined,
  isShared: boolean,
): PlanPosition {
  // Compiling an object position again is cheap: it takes time proportional to its selections. An
  // abstract position takes that time for each of its types.
  if (!isShared && !isOneOfMany(compiler, type)) {
    return buildPosition(compiler, type, selectionSet, undefined, sizing, false);
  }
  const siblings = positionsOf(compiler, selectionSet);
  const earlier = siblings.find((each) => each.type === type && sameSizing(each.sizing, sizing));
  if (earlier) return earlier.position ?? rejectCycle(selectionSet);
  const entry: KnownPosition = { type, sizing, position: undefined };
  siblings.push(entry);
  entry.position = buildPosition(compiler, type, selectionSet, undefined, sizing, true);
  return entry.position;
}

const MERGE_STEPS = 16;

/**
 * Compiles the position below several selections that execution merges, or returns one compiled
 * earlier with the same key.
 */
function compileMerged(
  compiler: Compiler,
  type: TypeModel,
  contributions: readonly Contribution[],
  sizing: Sizing | undefined,
): PlanPosition {
  compiler.merged ??= new Map();
  const { merged } = compiler;
  const key = mergedKey(compiler, type, contributions, sizing);
  // A measurement showed that merging one selection set takes as long as up to 16 other steps.
  spend(compiler, MERGE_STEPS * contributions.length);
  if (merged.has(key)) return merged.get(key) ?? rejectCycle(contributions[0]!.selectionSet);
  merged.set(key, undefined);
  const position = buildPosition(compiler, type, contributions[0]!.selectionSet, contributions, sizing, true);
  merged.set(key, position);
  return position;
}

/** @param contributions undefined if `selectionSet` is the only selection set of the position */
function buildPosition(
  compiler: Compiler,
  type: TypeModel,
  selectionSet: SelectionSetNode,
  contributions: readonly Contribution[] | undefined,
  sizing: Sizing | undefined,
  isShared: boolean,
): PlanPosition {
  if (++compiler.depth > MAX_DEPTH) throw tooDeep();
  if (compiler.upperBoundGroups) {
    const groups = compiler.upperBoundGroups(type, selectionSet, sizing);
    compiler.depth--;
    return { type, groups, isShared, typeFeatures: undefined };
  }
  const simple =
    contributions === undefined && !type.isAbstract
      ? buildSimpleFields(compiler, type, selectionSet.selections, sizing, isShared)
      : undefined;
  const groups = simple
    ? [{ types: type.possible.whole, fields: simple, parts: NO_PARTS }]
    : buildGroups(compiler, type, contributions ?? [{ selectionSet, condition: ALWAYS }], sizing, isShared);
  compiler.depth--;
  if (groups.length > 1 || (groups[0]?.types.weights.length ?? 1) > 1) compiler.hasChoice = true;
  return { type, groups, isShared, typeFeatures: undefined };
}

/**
 * Compiles a selection set of distinct fields without directives on one object type. Most selection
 * sets are of this form. They do not need the slower `collectFields`.
 * @returns undefined for any other selections
 */
function buildSimpleFields(
  compiler: Compiler,
  type: TypeModel,
  selections: readonly SelectionNode[],
  sizing: Sizing | undefined,
  isShared: boolean,
): PlanField[] | undefined {
  const { fields: models, fieldCount: base } = compiler;
  spend(compiler, selections.length);
  if (!readSimpleFields(models, base, type, selections)) return undefined;
  compiler.fieldCount = base + selections.length;
  // Allocate the array with its final length. An array that grows by `push` has unused capacity,
  // which a cached plan would keep in memory.
  const fields = new Array<PlanField>(selections.length);
  for (let i = 0; i < selections.length; i++) {
    const node = selections[i] as FieldNode;
    const model = models[base + i]!;
    // Most fields take this branch: all plain selections of a field share one plan field.
    if (model.compiled.plain !== undefined && !isSizedBy(sizing, model) && isPlainNode(node)) {
      fields[i] = model.compiled.plain as PlanField;
      continue;
    }
    fields[i] = buildField(compiler, model, node, undefined, undefined, type, undefined, ALWAYS, sizing, isShared);
  }
  compiler.fieldCount = base;
  return fields;
}

function buildGroups(
  compiler: Compiler,
  type: TypeModel,
  contributions: readonly Contribution[],
  sizing: Sizing | undefined,
  isShared: boolean,
): readonly PlanGroup[] {
  const all = type.possible;
  if (all.types.length === 0) return NO_GROUPS;
  const sets = collectFields(compiler, type, contributions, isShared);
  const [first] = sets;
  if (first === undefined) return [{ types: all.whole, fields: [], parts: NO_PARTS }];
  if (first.types === all && sets.length === 1) {
    return [{ types: all.whole, fields: buildFields(compiler, first.fields, sizing, false), parts: NO_PARTS }];
  }
  const known = new Map<readonly CollectedField[], PlanPart>();
  const partOf = (collected: readonly CollectedField[]): PlanPart => {
    const part = known.get(collected) ?? { fields: buildFields(compiler, collected, sizing, false) };
    known.set(collected, part);
    return part;
  };
  // A mixed group may have fields that another group also has, so its fields are compiled as
  // shared.
  return splitByType(compiler, all, sets).map(({ types, fields, isMixed, parts }) => ({
    types,
    fields: buildFields(compiler, fields, sizing, isMixed),
    parts: parts.length === 0 ? NO_PARTS : parts.map(partOf),
  }));
}

function buildFields(
  compiler: Compiler,
  collected: readonly CollectedField[],
  sizing: Sizing | undefined,
  isShared: boolean,
): PlanField[] {
  const all = mergeByName(collected);
  const fields = new Array<PlanField>(all.length);
  for (let i = 0; i < all.length; i++) {
    const merged = all[i]!;
    if (!Array.isArray(merged)) {
      const { field, node, alsoNamed, selectedOn, condition } = merged;
      const shared = isShared || merged.isShared;
      const coordinate = coordinateOf(merged);
      fields[i] = buildField(
        compiler,
        field,
        node,
        alsoNamed,
        coordinate,
        selectedOn,
        undefined,
        condition,
        sizing,
        shared,
      );
    } else {
      fields[i] = buildMergedField(compiler, merged, sizing, isShared);
    }
  }
  return fields;
}

function buildMergedField(
  compiler: Compiler,
  merged: readonly CollectedField[],
  sizing: Sizing | undefined,
  isShared: boolean,
): PlanField {
  const { field, node, selectedOn } = merged[0]!;
  const coordinate = mergedCoordinate(merged);
  // Often all merged selections are plain, such as `id` or `__typename`, and execution merges them
  // into one.
  if (merged.every((each) => each.condition === ALWAYS && isPlainSelection(each.field, each.node))) {
    return buildField(compiler, field, node, undefined, coordinate, selectedOn, undefined, ALWAYS, sizing, isShared);
  }
  const condition = merged
    .map((each) => each.condition)
    .reduce((left, right) => either(compiler.conditions, left, right));
  const shared = isShared || merged.some((each) => each.isShared);
  return buildField(compiler, field, node, undefined, coordinate, selectedOn, merged, condition, sizing, shared);
}

/**
 * @param alsoNamed response names of the field in addition to that of `node`
 * @param coordinate undefined if it is the coordinate of `model`
 * @param selectedOn type on which `node` is selected
 * @param merged selections that execution merges into this field; undefined if `node` is the only
 * one
 */
function buildField(
  compiler: Compiler,
  model: FieldModel,
  node: FieldNode,
  alsoNamed: readonly string[] | undefined,
  coordinate: string | undefined,
  selectedOn: TypeModel,
  merged: readonly CollectedField[] | undefined,
  condition: Condition,
  sizing: Sizing | undefined,
  isShared: boolean,
): PlanField {
  const isSized = isSizedBy(sizing, model);
  const isPlain =
    merged === undefined &&
    alsoNamed === undefined &&
    !isSized &&
    condition === ALWAYS &&
    (coordinate === undefined || coordinate === model.coordinate) &&
    isPlainSelection(model, node);
  if (isPlain && model.compiled.plain !== undefined) return model.compiled.plain as PlanField;

  const given = readSize(compiler, model, node);
  const rejection = rejectionOf(compiler, model, node, given, isSized ? sizing : undefined);
  const size = given === VIOLATED ? model.fallbackSize : given;
  const own = ownSize(model, size);
  const field: PlanField = {
    responseName: (node.alias ?? node.name).value,
    alsoNamed,
    model,
    coordinate: coordinate ?? model.coordinate,
    condition,
    node: isPlain ? undefined : node,
    selectedOn: model.complexity === undefined ? undefined : interfacesOf(selectedOn, merged),
    priced: model.pricedArguments.length === 0 ? undefined : readArguments(compiler, model.pricedArguments, node),
    directives: readDirectives(compiler, node, merged),
    size: isSized ? sizedSize(compiler, model, node, sizing!, own) : own,
    given: size,
    rejection,
    child:
      model.child === undefined || model.isFree
        ? undefined
        : compileChild(
            compiler,
            model,
            node,
            merged,
            condition,
            sizingBelow(compiler, model, node, size, sizing),
            isShared,
          ),
  };
  if (isPlain) model.compiled.plain = field;
  return field;
}

function isSizedBy(sizing: Sizing | undefined, model: FieldModel): boolean {
  return sizing !== undefined && model.listDepth > 0 && sizesList(sizing, model);
}

function compileChild(
  compiler: Compiler,
  model: FieldModel,
  node: FieldNode,
  merged: readonly CollectedField[] | undefined,
  condition: Condition,
  sizing: Sizing | undefined,
  isShared: boolean,
): PlanPosition {
  const type = model.child!;
  const contributions = merged ? contributionsOf(compiler.conditions, merged, condition) : [];
  const [only] = contributions;
  const single = merged
    ? only && contributions.length === 1 && only.condition === ALWAYS && only.selectionSet
    : node.selectionSet;
  if (single) return compileSelectionSet(compiler, type, single, sizing, isShared);
  if (only === undefined) return { type, groups: NO_GROUPS, isShared: false, typeFeatures: undefined };
  if (isShared) return compileMerged(compiler, type, contributions, sizing);
  return buildPosition(compiler, type, only.selectionSet, contributions, sizing, false);
}
