import { type ArgumentValue, isConstant } from '../compile/argument-value.js';
import type { CompiledOperation } from '../compile/compile-operation.js';
import type { PlanField, PlanGroup, PlanPart, PlanPosition } from '../compile/plan-tree.js';
import { callWeight, ignoresBareFields, isConnection, itemWeight, mostExpensiveType, type Tariff } from '../profile.js';
import { weighInput } from '../schema/input-model.js';
import { priceFunctionOf } from './complexity-function.js';
import { nodeLists, ownNodes } from './connection-nodes.js';
import {
  addTo,
  conditionValue,
  createDraft,
  createTotal,
  finishProgram,
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
export interface FormulaContext {
  readonly draft: ProgramDraft;
  readonly tariff: Tariff;
  readonly ignoresBareFields: boolean;
  /** What is needed in several places is worked out once. */
  positions: Map<PlanPosition, Value> | undefined;
  parts: Map<PlanPart, Value> | undefined;
}

export function createLowering(draft: ProgramDraft, tariff: Tariff): FormulaContext {
  return { draft, tariff, ignoresBareFields: ignoresBareFields(tariff), positions: undefined, parts: undefined };
}

/** A produced object: the most expensive of the types it can be, with what is selected on it. */
function objectValue(context: FormulaContext, position: PlanPosition): Value {
  if (!position.isShared) return mostExpensiveObject(context, position);
  context.positions ??= new Map();
  let value = context.positions.get(position);
  if (value === undefined) {
    value = mostExpensiveObject(context, position);
    context.positions.set(position, value);
  }
  return value;
}

function mostExpensiveObject(context: FormulaContext, { groups }: PlanPosition): Value {
  const { draft, tariff } = context;
  const [only] = groups;
  if (only === undefined) return 0;
  if (groups.length === 1) return sum(mostExpensiveType(tariff, only.types.weights), groupValue(context, only));
  if (tariff.takesMaximaApart) {
    const mostExpensive = groups.map((group) => mostExpensiveType(tariff, group.types.weights));
    return sum(maximum(draft, mostExpensive), selectionsValue(context, groups));
  }
  const objects = groups.map((group) =>
    sum(mostExpensiveType(tariff, group.types.weights), groupValue(context, group)),
  );
  return maximum(draft, objects);
}

/** What is selected on an object, at most, without the object itself. */
export function selectionsValue(context: FormulaContext, groups: readonly PlanGroup[]): Value {
  if (groups.length === 1) return groupValue(context, groups[0]!);
  if (groups.length === 0) return 0;
  return maximum(
    context.draft,
    groups.map((group) => groupValue(context, group)),
  );
}

function groupValue(context: FormulaContext, { fields, parts }: PlanGroup): Value {
  const own = fieldsValue(context, fields);
  if (parts.length === 0) return own;
  const total = createTotal();
  addTo(total, own);
  for (const part of parts) addTo(total, partValue(context, part));
  return totalValue(total);
}

function partValue(context: FormulaContext, part: PlanPart): Value {
  context.parts ??= new Map();
  let value = context.parts.get(part);
  if (value === undefined) {
    value = fieldsValue(context, part.fields);
    context.parts.set(part, value);
  }
  return value;
}

function fieldsValue(context: FormulaContext, fields: readonly PlanField[]): Value {
  let constant = 0;
  let total: Total | undefined;
  for (const field of fields) {
    if (context.ignoresBareFields && field.model.isBare && field.directives === undefined) continue;
    const value = fieldValue(context, field);
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
export function fieldValue(context: FormulaContext, field: PlanField): Value {
  const { draft, tariff } = context;
  const { model, child } = field;
  if (model.isFree) return 0;
  const weight = itemWeight(tariff, model);
  const item = child === undefined ? (weight ?? 0) : itemValue(context, child, weight);
  const below = notNegative(draft, itemsOf(draft, field, item, tariff.multipliesInnerLists));
  const regular = sum(callValue(draft, tariff, field), below);
  const price = tariff.countsCalls ? priceFunctionOf(field) : undefined;
  const value = price === undefined ? regular : priceValue(draft, price, notNegative(draft, item), regular);
  return field.condition.kind === 'always' ? value : multiply(draft, conditionValue(draft, field.condition), value);
}

function itemValue(context: FormulaContext, child: PlanPosition, weight: number | undefined): Value {
  if (weight === undefined) return objectValue(context, child);
  return sum(weight, selectionsValue(context, child.groups));
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
    return multiply(draft, conditionValue(draft, list.condition), sizeValue(draft, list.size));
  });
  return maximum(draft, [sizeValue(draft, field.given), ...lists]);
}

function argumentsValue(draft: ProgramDraft, tariff: Tariff, priced: readonly ArgumentValue[]): Value {
  const total = createTotal();
  for (const argument of priced) {
    if (isConstant(argument)) {
      addTo(total, weighInput(argument.input, argument.constant, tariff));
    } else if (weighs(argument, tariff)) {
      addTo(total, weightValue(draft, argument, tariff));
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
  const candidates = field.directives!.map(({ condition, priced }) => {
    const weight = argumentsValue(draft, tariff, priced);
    if (condition === field.condition || condition.kind === 'always') return weight;
    return sum(NOT_INCLUDED, multiply(draft, conditionValue(draft, condition), sum(weight, -NOT_INCLUDED)));
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
