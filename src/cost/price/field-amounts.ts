import { type ArgumentValue, argumentValue, isConstant } from '../compile/argument-value.js';
import { isIncluded } from '../compile/condition.js';
import type { PlanField, PlanGroup } from '../compile/plan-tree.js';
import { callWeight, isConnection, itemWeight, mostExpensiveType, type Tariff } from '../profile.js';
import { weighInput } from '../schema/input-model.js';
import { priceFunctionOf } from './complexity-function.js';
import { nodeLists, ownNodes } from './connection-nodes.js';
import type { ProgramInput } from './cost-program.js';

/**
 * Single numbers of one field, for the walks that look at fields one by one. The formula of the whole operation says
 * the same in `lower.ts`, with what is not known yet left open.
 */
export function sizeOf({ size }: PlanField, input: ProgramInput): number {
  return amountOf(size, input);
}

function amountOf(size: PlanField['size'], { sizes }: ProgramInput): number {
  return typeof size === 'number' ? size : sizes[size.index]!;
}

/** A call: weight, arguments and directives. */
export function callAmount(tariff: Tariff, field: PlanField, input: ProgramInput): number {
  const { model } = field;
  if (tariff.connections !== undefined) {
    if (!isConnection(model)) return 0;
    if (tariff.connections === 'requests') return 1;
    return nodesAmount(field, input);
  }
  let sum = callWeight(tariff, model);
  if (!tariff.countsCalls) return sum;
  if (field.priced) sum += argumentsAmount(tariff, field.priced, input);
  if (field.directives) {
    const included = field.directives.filter(({ condition }) => isIncluded(condition, input.variables.values));
    sum += Math.max(...included.map(({ priced }) => argumentsAmount(tariff, priced, input)));
  }
  return Math.max(0, sum);
}

function nodesAmount(field: PlanField, input: ProgramInput): number {
  if (field.model.sizedFields === undefined) return amountOf(ownNodes(field), input);
  const lists = nodeLists(field).filter((list) => isIncluded(list.condition, input.variables.values));
  return Math.max(amountOf(field.given, input), ...lists.map((list) => sizeOf(list, input)));
}

function argumentsAmount(tariff: Tariff, priced: readonly ArgumentValue[], { variables }: ProgramInput): number {
  let sum = 0;
  for (const argument of priced) {
    const value = isConstant(argument) ? argument.constant : argumentValue(argument, variables);
    if (value !== undefined) sum += weighInput(argument.input, value, tariff);
  }
  return sum;
}

/**
 * What a field costs without anything below it: a call, and what it produces.
 * @param group the types that are produced; undefined: the most expensive
 */
export function ownAmount(tariff: Tariff, field: PlanField, input: ProgramInput, group?: PlanGroup): number {
  const price = tariff.countsCalls ? priceFunctionOf(field)?.(0, input) : undefined;
  if (price !== undefined) return price;
  const items = sizeOf(field, input) * (tariff.multipliesInnerLists ? field.model.innerListSize : 1);
  return callAmount(tariff, field, input) + Math.max(0, items * itemAmount(tariff, field, group));
}

/** A produced item, without what is selected on it. */
export function itemAmount(tariff: Tariff, { model, child }: PlanField, group?: PlanGroup): number {
  const weight = itemWeight(tariff, model);
  if (weight !== undefined || child === undefined) return weight ?? 0;
  const groups = group === undefined ? child.groups : [group];
  if (groups.length === 0) return 0;
  return Math.max(...groups.map(({ types }) => mostExpensiveType(tariff, types.weights)));
}
