import { type ArgumentValue, isConstant } from '../compile/argument-value.js';
import {
  nameCountOf,
  type PlanField,
  type PlanGroup,
  type PlanPart,
  type PlanPosition,
} from '../compile/compiled-operation.js';
import { weighInput } from '../schema/input-model.js';
import {
  callWeight,
  ignoresBareFields,
  isConnection,
  itemWeight,
  mostExpensiveType,
  type Tariff,
} from '../settings/cost-profile.js';
import { type Algebra, bounded, notNegative, type PriceFunction, sum, type Value } from './algebra.js';
import { nodeLists, ownNodes } from './node-lists.js';
import { priceFunctionOf } from './price-function-of.js';

/**
 * State of the functions below, which compute prices of a plan under one tariff. They add the
 * prices of selections of the same object. If an object can be of several types, the most expensive
 * type determines its price.
 *
 * This file contains all pricing rules, for every algebra. They are the same for the formula of an
 * operation, the text of this formula, the numbers of an explanation and the actual cost of a
 * response.
 */
export interface Pricing<Open> {
  readonly algebra: Algebra<Open>;
  readonly tariff: Tariff;
  readonly ignoresBareFields: boolean;
  /** Prices of shared positions, each computed once. */
  positions: Map<PlanPosition, Value<Open>> | undefined;
  parts: Map<PlanPart, Value<Open>> | undefined;
  groups: Map<PlanGroup, Value<Open>> | undefined;
  /**
   * Whether the prices of groups are cached. The cache is needed if callers read the prices of
   * arbitrary positions. Otherwise each group is priced once, or the price of its position is
   * cached.
   */
  readonly remembersGroups: boolean;
}

export function createPricing<Open>(algebra: Algebra<Open>, tariff: Tariff, remembersGroups = false): Pricing<Open> {
  return {
    algebra,
    tariff,
    ignoresBareFields: ignoresBareFields(tariff),
    positions: undefined,
    parts: undefined,
    groups: undefined,
    remembersGroups,
  };
}

/** Returns the price of a field with everything below it, for all of its response names. */
function fieldUnderAllNames<Open>(pricing: Pricing<Open>, field: PlanField): Value<Open> {
  const price = fieldPrice(pricing, field);
  return field.alsoNamed === undefined ? price : pricing.algebra.scale(price, nameCountOf(field));
}

/**
 * Returns the price of a field with everything below it, for one of its response names and one
 * object that has the field.
 */
export function fieldPrice<Open>(pricing: Pricing<Open>, field: PlanField): Value<Open> {
  const { algebra, tariff } = pricing;
  const { model, condition } = field;
  if (model.isFree) return 0;
  const included = condition.kind === 'always' ? 1 : algebra.included(condition);
  if (included === 0) return 0;
  const item = itemPrice(pricing, field);
  const below = notNegative(algebra, itemsOf(algebra, field, item, tariff.multipliesInnerLists));
  const regular = sum(algebra, callPrice(pricing, field), below);
  const price = functionOf(pricing, field);
  const value = price === undefined ? regular : algebra.price(price, notNegative(algebra, item), regular);
  return included === 1 ? value : algebra.multiply(included, value);
}

/**
 * Returns the price of one call of a field: its weight, arguments and directives. There is one call
 * per object that has the field. The price is never negative.
 */
export function callPrice<Open>(pricing: Pricing<Open>, field: PlanField): Value<Open> {
  const { algebra, tariff } = pricing;
  const { model } = field;
  if (tariff.connections !== undefined) {
    if (!isConnection(model)) return 0;
    return tariff.connections === 'requests' ? 1 : nodesPrice(algebra, field);
  }
  let value: Value<Open> = callWeight(tariff, model);
  if (!tariff.countsCalls) return value;
  if (field.priced !== undefined) value = sum(algebra, value, argumentsPrice(pricing, field.priced));
  if (field.directives !== undefined) value = sum(algebra, value, directivesPrice(pricing, field));
  return notNegative(algebra, value);
}

/**
 * Returns the price function of a field, which replaces the other rules. Returns undefined if the
 * field has none, or if the tariff does not count calls.
 */
export function functionOf<Open>({ tariff }: Pricing<Open>, field: PlanField): PriceFunction | undefined {
  return tariff.countsCalls ? priceFunctionOf(field) : undefined;
}

/** Calls of a field in a response. All items that they return have the same cost. */
export interface MadeCalls {
  readonly calls: number;
  /** Cost of each item that the calls return. */
  readonly item: number;
}

/**
 * Returns the sum of the prices that a price function returns for calls in a response. Returns
 * `regular` if the function returns no price for at least one of the calls.
 */
export function madeCallsPrice(
  { algebra }: Pricing<never>,
  price: PriceFunction,
  made: readonly MadeCalls[],
  regular: number,
): number {
  let whole = 0;
  for (const { calls, item } of made) {
    const one = algebra.price(price, item, Number.NaN);
    if (Number.isNaN(one)) return regular;
    whole += calls * one;
  }
  return whole;
}

/**
 * Returns the price of one item that a call returns, with the selections on it. The price of an
 * object is that of its most expensive possible type.
 */
export function itemPrice<Open>(pricing: Pricing<Open>, { model, child }: PlanField): Value<Open> {
  const weight = itemWeight(pricing.tariff, model);
  if (child === undefined) return weight ?? 0;
  if (weight === undefined) return objectPrice(pricing, child);
  return sum(pricing.algebra, weight, selectionsPrice(pricing, child.groups));
}

/**
 * Returns the price of one item that a call returns, without the selections on it.
 * @param group group of the type of the items; undefined for the most expensive type
 */
export function bareItemPrice(tariff: Tariff, { model, child }: PlanField, group?: PlanGroup): number {
  const weight = itemWeight(tariff, model);
  if (weight !== undefined || child === undefined) return weight ?? 0;
  if (group !== undefined) return mostExpensiveType(tariff, group.types.weights);
  if (child.groups.length === 0) return 0;
  return Math.max(...child.groups.map(({ types }) => mostExpensiveType(tariff, types.weights)));
}

/**
 * Returns the price of a call and of the items that it returns, without the selections on the
 * items.
 * @param group group of the type of the items; undefined for the most expensive type
 */
export function ownPrice<Open>(pricing: Pricing<Open>, field: PlanField, group?: PlanGroup): Value<Open> {
  const { algebra, tariff } = pricing;
  const items = itemsOf(algebra, field, bareItemPrice(tariff, field, group), tariff.multipliesInnerLists);
  const regular = sum(algebra, callPrice(pricing, field), notNegative(algebra, items));
  const price = functionOf(pricing, field);
  return price === undefined ? regular : algebra.price(price, 0, regular);
}

/** Returns the price of all items that a call returns, with the price `item` for each of them. */
export function itemsOf<Open>(
  algebra: Algebra<Open>,
  field: PlanField,
  item: Value<Open>,
  multipliesInnerLists = true,
): Value<Open> {
  if (item === 0) return 0;
  const { size } = field;
  const inner = multipliesInnerLists ? field.model.innerListSize : 1;
  if (typeof item === 'number' && typeof size === 'number') return bounded(size * bounded(item * inner));
  return algebra.multiply(algebra.size(size), algebra.scale(item, inner));
}

/**
 * Returns the price of an object with the selections on it. It is the price of the most expensive
 * possible type.
 */
function objectPrice<Open>(pricing: Pricing<Open>, position: PlanPosition): Value<Open> {
  if (!position.isShared) return mostExpensiveObject(pricing, position);
  pricing.positions ??= new Map();
  let value = pricing.positions.get(position);
  if (value === undefined) {
    value = mostExpensiveObject(pricing, position);
    pricing.positions.set(position, value);
  }
  return value;
}

function mostExpensiveObject<Open>(pricing: Pricing<Open>, { groups }: PlanPosition): Value<Open> {
  const { algebra, tariff } = pricing;
  if (groups.length === 0) return 0;
  if (groups.length > 1 && tariff.takesMaximaApart) {
    const mostExpensive = groups.map((group) => mostExpensiveType(tariff, group.types.weights));
    return sum(algebra, algebra.maximum(mostExpensive), selectionsPrice(pricing, groups));
  }
  if (groups.length === 1) return objectOfGroupPrice(pricing, groups[0]!);
  return algebra.maximum(groups.map((group) => objectOfGroupPrice(pricing, group)));
}

/** Returns the maximum price of one object of a group, including the selections on it. */
export function objectOfGroupPrice<Open>(pricing: Pricing<Open>, group: PlanGroup): Value<Open> {
  return sum(pricing.algebra, mostExpensiveType(pricing.tariff, group.types.weights), groupPrice(pricing, group));
}

/** Returns the maximum price of the selections on an object, without the object itself. */
export function selectionsPrice<Open>(pricing: Pricing<Open>, groups: readonly PlanGroup[]): Value<Open> {
  if (groups.length === 1) return groupPrice(pricing, groups[0]!);
  if (groups.length === 0) return 0;
  return pricing.algebra.maximum(groups.map((group) => groupPrice(pricing, group)));
}

function groupPrice<Open>(pricing: Pricing<Open>, group: PlanGroup): Value<Open> {
  if (!pricing.remembersGroups) return sumOfGroup(pricing, group);
  pricing.groups ??= new Map();
  let value = pricing.groups.get(group);
  if (value === undefined) {
    value = sumOfGroup(pricing, group);
    pricing.groups.set(group, value);
  }
  return value;
}

function sumOfGroup<Open>(pricing: Pricing<Open>, { fields, parts }: PlanGroup): Value<Open> {
  const own = fieldsPrice(pricing, fields);
  if (parts.length === 0) return own;
  if (parts.length === 1) return sum(pricing.algebra, own, partPrice(pricing, parts[0]!));
  return totalOf(pricing, [own, ...parts.map((part) => partPrice(pricing, part))]);
}

/**
 * Returns the sum of all values, computed by one call of the algebra. Repeated calls of `sum` would
 * copy all terms each time.
 */
function totalOf<Open>({ algebra }: Pricing<Open>, values: readonly Value<Open>[]): Value<Open> {
  let constant = 0;
  const open: Open[] = [];
  for (const value of values) {
    if (typeof value === 'number') constant += value;
    else open.push(value);
  }
  return algebra.total(constant, open);
}

/** Returns the price of a part. It is cached, because hundreds of groups may share a part. */
function partPrice<Open>(pricing: Pricing<Open>, part: PlanPart): Value<Open> {
  pricing.parts ??= new Map();
  let value = pricing.parts.get(part);
  if (value === undefined) {
    value = fieldsPrice(pricing, part.fields);
    pricing.parts.set(part, value);
  }
  return value;
}

function fieldsPrice<Open>(pricing: Pricing<Open>, fields: readonly PlanField[]): Value<Open> {
  let constant = 0;
  let open: Open[] | undefined;
  for (const field of fields) {
    if (pricing.ignoresBareFields && field.model.isBare && field.directives === undefined) continue;
    const value = fieldUnderAllNames(pricing, field);
    if (typeof value === 'number') {
      constant += value;
    } else {
      open ??= [];
      open.push(value);
    }
  }
  return open === undefined ? bounded(constant) : pricing.algebra.total(constant, open);
}

/**
 * Returns the number of nodes of a connection: the largest of its own size and the sizes of its
 * lists. If no argument sets its own size, the fallback size counts, and a list may be larger.
 */
function nodesPrice<Open>(algebra: Algebra<Open>, field: PlanField): Value<Open> {
  if (field.model.sizedFields === undefined) return algebra.size(ownNodes(field));
  const lists = nodeLists(field).map((list) =>
    algebra.multiply(algebra.included(list.condition), algebra.size(list.size)),
  );
  return algebra.maximum([algebra.size(field.given), ...lists]);
}

function argumentsPrice<Open>(pricing: Pricing<Open>, priced: readonly ArgumentValue[]): Value<Open> {
  const { algebra, tariff } = pricing;
  const weights = priced.map((argument) => {
    if (isConstant(argument)) return weighInput(argument.input, argument.constant, tariff);
    return weighs(argument, tariff) ? algebra.weight(argument, tariff) : 0;
  });
  return totalOf(pricing, weights);
}

function weighs({ input }: ArgumentValue, tariff: Tariff): boolean {
  return input.weight !== undefined || tariff.inputObjectWeight !== 0 || input.object?.isWeighted() === true;
}

/**
 * Price of the directives of a selection that is not included. It is far below any weight, so it
 * never is the maximum.
 */
const NOT_INCLUDED = -(2 ** 40);

/**
 * Returns the price of the directives of a field. Merged selections may have different directives.
 * The highest price of an included selection counts.
 */
function directivesPrice<Open>(pricing: Pricing<Open>, field: PlanField): Value<Open> {
  const { algebra } = pricing;
  const candidates = field.directives!.map(({ condition, priced }) => {
    const included = condition === field.condition ? 1 : algebra.included(condition);
    if (included === 0) return NOT_INCLUDED;
    const weight = argumentsPrice(pricing, priced);
    if (included === 1) return weight;
    return sum(algebra, NOT_INCLUDED, algebra.multiply(included, sum(algebra, weight, -NOT_INCLUDED)));
  });
  return algebra.maximum(candidates);
}
