import { type ArgumentValue, isConstant } from '../compile/argument-value.js';
import type { CompiledOperation } from '../compile/compile-operation.js';
import type { PlanField, PlanGroup, PlanPart, PlanPosition } from '../compile/plan-tree.js';
import { callWeight, ignoresBareFields, isConnection, itemWeight, mostExpensiveType, type Tariff } from '../profile.js';
import { weighInput } from '../schema/input-model.js';
import { priceFunctionOf } from './complexity-function.js';
import { nodeLists, ownNodes } from './connection-nodes.js';
import {
  addTo,
  createDraft,
  createTotal,
  finishProgram,
  guardValue,
  maximum,
  multiply,
  notNegative,
  type Program,
  type ProgramDraft,
  priceValue,
  scale,
  sizeValue,
  sum,
  type Total,
  totalValue,
  type Value,
  weightValue,
} from './cost-program.js';

/** Turns the tree of a plan into the formula of one number: what happens together is added, what excludes is maximised. */
export interface Lowering {
  readonly draft: ProgramDraft;
  readonly tariff: Tariff;
  readonly ignoresBareFields: boolean;
  /** What is needed in several places is worked out once. */
  positions: Map<PlanPosition, Value> | undefined;
  parts: Map<PlanPart, Value> | undefined;
}

export function createLowering(draft: ProgramDraft, tariff: Tariff): Lowering {
  return { draft, tariff, ignoresBareFields: ignoresBareFields(tariff), positions: undefined, parts: undefined };
}

/** A produced object: the most expensive of the types it can be, with what is selected on it. */
function objectValue(lowering: Lowering, position: PlanPosition): Value {
  if (!position.isShared) return mostExpensiveObject(lowering, position);
  lowering.positions ??= new Map();
  let value = lowering.positions.get(position);
  if (value === undefined) {
    value = mostExpensiveObject(lowering, position);
    lowering.positions.set(position, value);
  }
  return value;
}

function mostExpensiveObject(lowering: Lowering, { groups }: PlanPosition): Value {
  const { draft, tariff } = lowering;
  const [only] = groups;
  if (only === undefined) return 0;
  if (groups.length === 1) return sum(mostExpensiveType(tariff, only.types.weights), groupValue(lowering, only));
  if (tariff.takesMaximaApart) {
    const mostExpensive = groups.map((group) => mostExpensiveType(tariff, group.types.weights));
    return sum(maximum(draft, mostExpensive), selectionsValue(lowering, groups));
  }
  const objects = groups.map((group) =>
    sum(mostExpensiveType(tariff, group.types.weights), groupValue(lowering, group)),
  );
  return maximum(draft, objects);
}

/** What is selected on an object, at most, without the object itself. */
export function selectionsValue(lowering: Lowering, groups: readonly PlanGroup[]): Value {
  if (groups.length === 1) return groupValue(lowering, groups[0]!);
  if (groups.length === 0) return 0;
  return maximum(
    lowering.draft,
    groups.map((group) => groupValue(lowering, group)),
  );
}

function groupValue(lowering: Lowering, { fields, parts }: PlanGroup): Value {
  const own = fieldsValue(lowering, fields);
  if (parts.length === 0) return own;
  const total = createTotal();
  addTo(total, own);
  for (const part of parts) addTo(total, partValue(lowering, part));
  return totalValue(total);
}

function partValue(lowering: Lowering, part: PlanPart): Value {
  lowering.parts ??= new Map();
  let value = lowering.parts.get(part);
  if (value === undefined) {
    value = fieldsValue(lowering, part.fields);
    lowering.parts.set(part, value);
  }
  return value;
}

function fieldsValue(lowering: Lowering, fields: readonly PlanField[]): Value {
  let constant = 0;
  let total: Total | undefined;
  for (const field of fields) {
    if (lowering.ignoresBareFields && field.model.isBare && field.directives === undefined) continue;
    const value = fieldValue(lowering, field);
    if (typeof value === 'number') {
      constant += value;
    } else {
      total ??= createTotal();
      addTo(total, value);
    }
  }
  if (total === undefined) return scale(constant, 1);
  addTo(total, constant);
  return totalValue(total);
}

/** A field, given that its object is there. */
export function fieldValue(lowering: Lowering, field: PlanField): Value {
  const { draft, tariff } = lowering;
  const { model, child } = field;
  if (model.isFree) return 0;
  const weight = itemWeight(tariff, model);
  const item = child === undefined ? (weight ?? 0) : itemValue(lowering, child, weight);
  const below = notNegative(draft, itemsOf(draft, field, item, tariff.multipliesInnerLists));
  const regular = sum(callValue(draft, tariff, field), below);
  const price = tariff.countsCalls ? priceFunctionOf(field) : undefined;
  const value = price === undefined ? regular : priceValue(draft, price, notNegative(draft, item), regular);
  return field.guard.kind === 'always' ? value : multiply(draft, guardValue(draft, field.guard), value);
}

function itemValue(lowering: Lowering, child: PlanPosition, weight: number | undefined): Value {
  if (weight === undefined) return objectValue(lowering, child);
  return sum(weight, selectionsValue(lowering, child.groups));
}

/** All items that a call returns, each of them being `item`. */
export function itemsOf(draft: ProgramDraft, field: PlanField, item: Value, multipliesInnerLists = true): Value {
  if (item === 0) return 0;
  const inner = multipliesInnerLists ? scale(item, field.model.innerListSize) : item;
  return multiply(draft, sizeValue(draft, field.size), inner);
}

/** What a call costs, once per object that has the field: its weight, its arguments, its directives. Never below zero. */
export function callValue(draft: ProgramDraft, tariff: Tariff, field: PlanField): Value {
  const { model } = field;
  if (tariff.connections !== undefined) {
    if (!isConnection(model)) return 0;
    return tariff.connections === 'requests' ? 1 : nodesValue(draft, field);
  }
  let value: Value = callWeight(tariff, model);
  if (!tariff.countsCalls) return value;
  if (field.priced !== undefined) value = sum(value, argumentsValue(draft, tariff, field.priced));
  if (field.directives !== undefined) value = sum(value, directivesValue(draft, tariff, field));
  return notNegative(draft, value);
}

/** A connection without a size leaves its lists their own, which may be longer. */
function nodesValue(draft: ProgramDraft, field: PlanField): Value {
  if (field.model.sizedFields === undefined) return sizeValue(draft, ownNodes(field));
  const lists = nodeLists(field).map((list) => {
    return multiply(draft, guardValue(draft, list.guard), sizeValue(draft, list.size));
  });
  return maximum(draft, [sizeValue(draft, field.given), ...lists]);
}

function argumentsValue(draft: ProgramDraft, tariff: Tariff, priced: readonly ArgumentValue[]): Value {
  const total = createTotal();
  for (const argument of priced) {
    if (isConstant(argument)) {
      addTo(total, weighInput(argument.input, argument.constant, tariff.inputObjectWeight));
    } else if (weighs(argument, tariff)) {
      addTo(total, weightValue(draft, argument, tariff.inputObjectWeight));
    }
  }
  return totalValue(total);
}

function weighs({ input }: ArgumentValue, tariff: Tariff): boolean {
  return input.weight !== undefined || tariff.inputObjectWeight !== 0 || input.object?.isWeighted() === true;
}

/** Far below any weight: stands for a selection that is not included. */
const NOT_INCLUDED = -(2 ** 40);

/** Of merged selections that carry different directives, the most expensive that is included. */
function directivesValue(draft: ProgramDraft, tariff: Tariff, field: PlanField): Value {
  const candidates = field.directives!.map(({ guard, priced }) => {
    const weight = argumentsValue(draft, tariff, priced);
    if (guard === field.guard || guard.kind === 'always') return weight;
    return sum(NOT_INCLUDED, multiply(draft, guardValue(draft, guard), sum(weight, -NOT_INCLUDED)));
  });
  return maximum(draft, candidates);
}

/** A formula as it is written: its instructions, and what it comes to. */
export interface WrittenFormula {
  readonly draft: ProgramDraft;
  readonly total: Value;
}

/** The formula of an operation: the sum of what it costs by each of the tariffs, roots included. */
export function writeFormula(compiled: CompiledOperation, tariffs: readonly Tariff[]): WrittenFormula {
  const draft = createDraft();
  let total: Value = 0;
  for (const tariff of tariffs) {
    total = sum(total, rootWeight(compiled, tariff));
    if (compiled.root) total = sum(total, selectionsValue(createLowering(draft, tariff), compiled.root.groups));
  }
  return { draft, total };
}

export function compileFormula(compiled: CompiledOperation, tariffs: readonly Tariff[]): Program {
  const { draft, total } = writeFormula(compiled, tariffs);
  return finishProgram(draft, [total]);
}

/** What an operation costs before any of its fields; an annotated root type says so itself. */
export function rootWeight(
  { operation, root }: { operation: CompiledOperation['operation']; root: PlanPosition | undefined },
  tariff: Tariff,
): number {
  const annotated = tariff.countsTypes ? root?.type.weight : undefined;
  return annotated ?? tariff.roots[operation.operation];
}
