import type { CompiledOperation, PlanField, PlanPosition } from '../compile/compiled-operation.js';
import { BOUND } from '../price/algebra.js';
import { rootWeight } from '../price/compile-formula.js';
import { createMeasureWalk, type Measured, type MeasureFormula } from '../price/compile-measure.js';
import { callPrice, functionOf, type MadeCalls, madeCallsPrice, type Pricing } from '../price/create-pricing.js';
import type { FieldMatcher } from '../price/field-matcher.js';
import { addFieldTotal, type FieldTotals, listFields } from '../price/field-totals.js';
import { nodeLists } from '../price/node-lists.js';
import type { RequestPricing } from '../price/request-pricing.js';
import { isConnection, itemWeight, mostExpensiveType, type Tariff } from '../settings/cost-profile.js';
import type { FieldCost, FieldSums } from '../values/field-cost.js';
import { toTokens } from '../values/to-tokens.js';
import { createLayout, listWalk } from './create-layout.js';
import { createNulledAmounts, type NulledAmounts } from './nulled-amounts.js';
import type { NulledCounts, NulledPositions } from './nulled-positions.js';
import type { FieldCounts, FieldLayout, GroupCounts, ObjectCounts } from './object-counts.js';

/** Returns whether a scalar or enum field can have a cost under any of the tariffs. */
export function canCost({ model, priced, directives }: PlanField, tariffs: readonly Tariff[]): boolean {
  return (
    model.weight !== undefined ||
    model.leafWeight !== undefined ||
    model.complexity !== undefined ||
    priced !== undefined ||
    directives !== undefined ||
    isConnection(model) ||
    tariffs.some((tariff) => tariff.scalarWeight !== 0 || tariff.scalarFieldWeight !== 0)
  );
}

/**
 * Sums of a response. Each method adds the costs under all given tariffs (sets of weights). The
 * results of `sum` and `measure` are not rounded to whole tokens.
 */
export interface ResponseTotals {
  /** Returns the cost of all fields, including the base cost of the operation. */
  sum(tariffs: readonly Tariff[]): number;
  /** Returns the cost and the calls of the fields that a limit counts. */
  measure(tariffs: readonly Tariff[], measure: MeasureFormula): Measured;
  /** Returns the calls of each field and its cost without the selections below, in whole tokens. */
  fields(tariffs: readonly Tariff[]): readonly FieldCost[];
  /**
   * Returns the same as `fields`, as lists of numbers. The code that adds up many responses then
   * allocates no object for each field.
   */
  fieldSums(tariffs: readonly Tariff[]): FieldSums;
}

/**
 * Totals computed from the counts of one pass over a response. It is a class, because allocating
 * closures for every request would take time.
 */
export class ActualTotals implements ResponseTotals {
  readonly #compiled: CompiledOperation;
  /** Counts of the root. Undefined if the schema lacks the root type, or if nothing was counted. */
  readonly #root: ObjectCounts | undefined;
  readonly #request: RequestPricing;
  /** Amounts of nulled positions and of objects of unknown type. Undefined if there are none. */
  readonly #nulled: NulledAmounts | undefined;

  /** @param nulled positions that errors set to null, and objects of unknown type */
  constructor(
    compiled: CompiledOperation,
    root: ObjectCounts | undefined,
    request: RequestPricing,
    nulled?: NulledPositions,
  ) {
    this.#compiled = compiled;
    this.#root = root;
    this.#request = request;
    if (nulled !== undefined && nulled.size > 0) this.#nulled = createNulledAmounts(nulled, request);
  }

  sum(tariffs: readonly Tariff[]): number {
    let sum = 0;
    for (const tariff of tariffs) {
      sum += rootWeight(this.#compiled, tariff) + (this.#root ? this.#selections(tariff, this.#root) : 0);
    }
    return sum;
  }

  measure(tariffs: readonly Tariff[], { matcher }: MeasureFormula): Measured {
    return this.#root === undefined ? NOTHING : this.#measureObjects(tariffs, matcher, this.#root);
  }

  fields(tariffs: readonly Tariff[]): readonly FieldCost[] {
    const totals: FieldTotals = new Map();
    const add = (objects: ObjectCounts): void => {
      for (const group of objects.groups) {
        // The counts are reused for each response. A group that occurred only in an earlier
        // response has no objects now, and must not affect the order of the fields.
        if (group === undefined || group.objects === 0) continue;
        for (const other of group.others) {
          if (other.model.name !== '__typename') addFieldTotal(totals, other.coordinate, group.objects, 0);
        }
        for (const counts of group.fields) {
          let own = 0;
          for (const tariff of tariffs) own += this.#ownCost(tariff, counts);
          addFieldTotal(totals, counts.field.coordinate, counts.calls, own);
          if (counts.objects) add(counts.objects);
          this.#nulled?.addFields(tariffs, totals, counts);
        }
      }
    };
    if (this.#root) add(this.#root);
    return listFields(totals);
  }

  fieldSums(tariffs: readonly Tariff[]): FieldSums {
    const root = this.#root;
    if (root === undefined) return NO_SUMS;
    // The layout lacks fields that occur only on objects which errors removed from the response.
    if (this.#nulled) return fieldSumsOf(this.fields(tariffs));
    const known = root.layout && this.#sumFields(tariffs, root, root.layout);
    if (known) return known;
    const fields: PlanField[] = [];
    listWalk(root, fields);
    root.layout = createLayout(fields);
    return this.#sumFields(tariffs, root, root.layout)!;
  }

  /**
   * Returns the sums of all fields. Returns undefined if groups have been added since `layout` was
   * created.
   */
  #sumFields(tariffs: readonly Tariff[], root: ObjectCounts, layout: FieldLayout): FieldSums | undefined {
    const { coordinates, fields } = layout;
    const calls = new Array<number>(coordinates.length).fill(0);
    const costs = new Array<number>(coordinates.length).fill(0);
    if (this.#addFields(tariffs, root, layout, 0, calls, costs) !== fields.length) return undefined;
    for (let i = 0; i < calls.length; i++) {
      calls[i] = toTokens(Math.min(calls[i]!, BOUND));
      costs[i] = toTokens(Math.min(costs[i]!, BOUND));
    }
    return { coordinates, calls, costs };
  }

  /**
   * Adds the counts of `groups` and everything below them to `calls` and `costs`. The first of
   * their fields is at index `at` of the layout. Returns the index after the last one, or NaN if
   * the layout does not match.
   */
  #addFields(
    tariffs: readonly Tariff[],
    { groups }: ObjectCounts,
    layout: FieldLayout,
    at: number,
    calls: number[],
    costs: number[],
  ): number {
    const { fields, slots } = layout;
    for (const group of groups) {
      if (group === undefined) continue;
      for (const other of group.others) {
        if (fields[at] !== other) return Number.NaN;
        if (other.model.name !== '__typename') calls[slots[at]!]! += group.objects;
        at++;
      }
      for (const counts of group.fields) {
        if (fields[at] !== counts.field) return Number.NaN;
        const slot = slots[at++]!;
        if (counts.calls > 0) {
          calls[slot]! += counts.calls;
          for (const tariff of tariffs) costs[slot]! += this.#ownCost(tariff, counts);
        }
        if (counts.objects) at = this.#addFields(tariffs, counts.objects, layout, at, calls, costs);
      }
    }
    return at;
  }

  /** Returns the price of all fields selected on the counted objects, under one tariff. */
  #selections(tariff: Tariff, { groups }: ObjectCounts): number {
    let sum = 0;
    for (const group of groups) {
      if (group === undefined) continue;
      const { fields } = group;
      for (let i = 0; i < fields.length; i++) sum += this.#field(tariff, fields[i]!);
    }
    return sum;
  }

  #field(tariff: Tariff, counts: FieldCounts): number {
    const { field: planned, calls, items } = counts;
    if (calls === 0 || planned.model.isFree) return 0;
    const inside = counts.objects && items > 0 ? this.#selections(tariff, counts.objects) : 0;
    const below = Math.max(0, producedBy(tariff, counts) + inside);
    const isFlat = tariff.multipliesInnerLists || planned.model.listDepth < 2 || items === 0;
    const scaled = isFlat ? below : (below * counts.outerItems) / items;
    const nulled = this.#nulled?.of(counts);
    const gone = nulled ? this.#nulled!.below(tariff, planned, nulled) : 0;
    const pricing = this.#request.of(tariff);
    const regular = this.#callsOf(pricing, counts) + scaled + gone;
    const price = functionOf(pricing, planned);
    if (price === undefined) return regular;
    return madeCallsPrice(pricing, price, this.#madeCalls(tariff, counts, nulled, below), regular);
  }

  /**
   * Returns the calls of a field, grouped by the cost of one item, because a price function
   * receives this cost as an argument. All items in the response have the mean of their costs.
   * @param below cost of everything below the items in the response
   */
  #madeCalls(tariff: Tariff, counts: FieldCounts, nulled: NulledCounts | undefined, below: number): MadeCalls[] {
    const { field: planned, calls, answers, items } = counts;
    if (nulled === undefined) {
      const mean = items === 0 ? 0 : below / items;
      return [
        { calls: answers, item: mean },
        { calls: calls - answers, item: 0 },
      ];
    }
    const item = this.#nulled!.item(tariff, planned);
    const came = items + nulled.items;
    const mean = came === 0 ? 0 : (below + nulled.items * item) / came;
    return [
      { calls: answers, item: mean },
      { calls: nulled.calls, item },
      { calls: calls - answers - nulled.calls, item: 0 },
    ];
  }

  #callsOf(pricing: Pricing<never>, counts: FieldCounts): number {
    const call = callPrice(pricing, counts.field);
    if (pricing.tariff.connections !== 'nodes') return counts.calls * call;
    if (!isConnection(counts.field.model)) return 0;
    const nulled = this.#nulled?.of(counts);
    // A connection that is missing in the response counts at its estimate, because its number of
    // items is unknown.
    const nodes = counts.field.model.sizedFields === undefined ? 1 : call;
    const gone = nulled ? nulled.items * nodes + nulled.calls * call : 0;
    return nodesOf(counts, (each) => this.#nulled?.items(each) ?? 0) + gone;
  }

  #ownCost(tariff: Tariff, counts: FieldCounts): number {
    const pricing = this.#request.of(tariff);
    const nulled = this.#nulled?.own(tariff, counts) ?? 0;
    const regular = this.#callsOf(pricing, counts) + Math.max(0, producedBy(tariff, counts)) + nulled;
    const price = functionOf(pricing, counts.field);
    if (price === undefined) return regular;
    return madeCallsPrice(pricing, price, [{ calls: counts.calls, item: 0 }], regular);
  }

  #measureObjects(tariffs: readonly Tariff[], matcher: FieldMatcher, { position, groups }: ObjectCounts): Measured {
    if (!matcher.touches(position)) return NOTHING;
    let cost = 0;
    let calls = 0;
    for (const group of groups) {
      if (group === undefined || group.objects === 0) continue;
      const most = this.#measureGroup(tariffs, matcher, position, group);
      cost += most.cost;
      calls += most.calls;
    }
    return { cost, calls };
  }

  /**
   * Returns the measure of a group, which may have several types that match different fields. The
   * result is at least the highest measure of any single type.
   *
   * A response may contain objects of several of these types. The result is then the sum over the
   * fields that match on any type, up to the estimate for this number of objects.
   */
  #measureGroup(
    tariffs: readonly Tariff[],
    matcher: FieldMatcher,
    position: PlanPosition,
    group: GroupCounts,
  ): Measured {
    if (group.type) return this.#measureAlike(tariffs, matcher, matcher.matchingOn(group.group, group.type), group);
    const matchings = matcher.matching(group.group);
    // Nearly all operations take this branch.
    if (matchings.length === 1) return this.#measureAlike(tariffs, matcher, matchings[0]!, group);
    const { fields, others } = group;
    const costs = matchings.map(() => 0);
    const calls = matchings.map(() => 0);
    const any = { cost: 0, calls: 0 };
    for (const counts of fields) {
      if (counts.calls === 0) continue;
      let inner = counts.objects ? this.#measureObjects(tariffs, matcher, counts.objects) : NOTHING;
      if (this.#nulled) inner = this.#nulled.addMeasured(tariffs, matcher, counts, inner);
      const price = matchings.some((each) => each.has(counts.field)) ? this.#priceOf(tariffs, counts) : inner.cost;
      for (let i = 0; i < matchings.length; i++) {
        const isMatch = matchings[i]!.has(counts.field);
        costs[i]! += isMatch ? price : inner.cost;
        calls[i]! += inner.calls + (isMatch ? counts.calls : 0);
      }
      any.cost += Math.max(price, inner.cost);
      any.calls += inner.calls + (matchings.some((each) => each.has(counts.field)) ? counts.calls : 0);
    }
    for (const other of others) {
      for (let i = 0; i < matchings.length; i++) if (matchings[i]!.has(other)) calls[i]! += group.objects;
      if (matchings.some((each) => each.has(other))) any.calls += group.objects;
    }
    const cost = Math.max(0, ...costs);
    const most = Math.max(0, ...calls);
    if (matchings.length < 2 || (any.cost <= cost && any.calls <= most)) return { cost, calls: most };
    const promised = createMeasureWalk(this.#request.ofAll(tariffs), matcher)(position);
    return {
      cost: Math.max(cost, Math.min(any.cost, group.objects * promised.cost)),
      calls: Math.max(most, Math.min(any.calls, group.objects * promised.calls)),
    };
  }

  /** Returns the measure of a group whose types all match the same fields. */
  #measureAlike(
    tariffs: readonly Tariff[],
    matcher: FieldMatcher,
    matching: ReadonlySet<PlanField>,
    { fields, others, objects }: GroupCounts,
  ): Measured {
    let cost = 0;
    let calls = 0;
    for (const counts of fields) {
      if (counts.calls === 0) continue;
      let inner = counts.objects ? this.#measureObjects(tariffs, matcher, counts.objects) : NOTHING;
      if (this.#nulled) inner = this.#nulled.addMeasured(tariffs, matcher, counts, inner);
      const isMatch = matching.has(counts.field);
      cost += isMatch ? this.#priceOf(tariffs, counts) : inner.cost;
      calls += inner.calls + (isMatch ? counts.calls : 0);
    }
    for (const other of others) if (matching.has(other)) calls += objects;
    return { cost: Math.max(0, cost), calls: Math.max(0, calls) };
  }

  #priceOf(tariffs: readonly Tariff[], counts: FieldCounts): number {
    let sum = 0;
    for (const tariff of tariffs) sum += this.#field(tariff, counts);
    return sum;
  }
}

const NO_SUMS: FieldSums = { coordinates: [], calls: [], costs: [] };

/** Returns the same numbers as parallel arrays. */
export function fieldSumsOf(fields: readonly FieldCost[]): FieldSums {
  return {
    coordinates: fields.map(({ coordinate }) => coordinate),
    calls: fields.map(({ calls }) => calls),
    costs: fields.map(({ cost }) => cost),
  };
}

const NOTHING: Measured = { cost: 0, calls: 0 };

/** Returns the price of the objects and scalars in the response, without the selections on them. */
function producedBy(tariff: Tariff, { field: planned, items, objects }: FieldCounts): number {
  const weight = itemWeight(tariff, planned.model);
  if (weight !== undefined || objects === undefined) return items * (weight ?? 0);
  let sum = 0;
  for (const group of objects.groups) {
    if (group === undefined) continue;
    let unweighed = group.objects;
    if (group.byWeight !== undefined) {
      for (const [own, count] of group.byWeight) {
        sum += count * mostExpensiveType(tariff, [own]);
        unweighed -= count;
      }
    }
    if (unweighed > 0) sum += unweighed * mostExpensiveType(tariff, group.group.types.weights);
  }
  return sum;
}

/**
 * Returns the number of nodes of a connection in all of its calls. Among the list fields whose size
 * its arguments set, the one with the most items counts. For a field that sizes no other lists, the
 * items of the field itself count.
 * @param nulled returns the number of items that are missing from a field because of errors
 */
function nodesOf({ field, items, objects }: FieldCounts, nulled: (counts: FieldCounts) => number): number {
  if (field.model.sizedFields === undefined || objects === undefined) return items;
  return mostNodes(new Set(nodeLists(field)), objects, nulled);
}

/**
 * Returns the number of items of the field in `lists` that has the most. Searches the fields of the
 * counted objects, and of objects below them that are not in a list.
 */
function mostNodes(
  lists: ReadonlySet<PlanField>,
  { groups }: ObjectCounts,
  nulled: (counts: FieldCounts) => number,
): number {
  let nodes = 0;
  for (const group of groups) {
    for (const counts of group?.fields ?? []) {
      const { field, objects, items } = counts;
      if (lists.has(field)) nodes = Math.max(nodes, items + nulled(counts));
      else if (objects !== undefined && field.model.listDepth === 0) {
        nodes = Math.max(nodes, mostNodes(lists, objects, nulled));
      }
    }
  }
  return nodes;
}
