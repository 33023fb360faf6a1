import type { PlanField } from '../compile/compiled-operation.js';
import { createMeasureWalk, type Measured, type MeasureWalk } from '../price/compile-measure.js';
import { bareItemPrice, itemPrice, itemsOf } from '../price/create-pricing.js';
import type { FieldMatcher } from '../price/field-matcher.js';
import { createFieldWalk, type FieldTotals } from '../price/field-totals.js';
import type { RequestPricing } from '../price/request-pricing.js';
import type { Tariff } from '../settings/cost-profile.js';
import { createOpenObjects } from './create-open-objects.js';
import type { NulledCounts, NulledPositions } from './nulled-positions.js';
import type { FieldCounts } from './object-counts.js';

/**
 * Maximum costs and numbers of calls and items at the positions of a response that errors set to
 * null. They also include the objects whose type is unknown. Such an object costs as much as its
 * most expensive candidate type. For limits on fields, it counts at the estimate of one object at
 * its position.
 */
export interface NulledAmounts {
  /** Returns the numbers of missing values of a field. Returns undefined if none are missing. */
  of(counts: FieldCounts): NulledCounts | undefined;
  /** Returns the maximum number of missing items of a field. */
  items(counts: FieldCounts): number;
  /** Returns the price of one item of a field, with the selections on it. */
  item(tariff: Tariff, field: PlanField): number;
  /**
   * Returns the price of the missing items of a field, with the selections on them. The price of
   * the calls of the field is not included.
   */
  below(tariff: Tariff, field: PlanField, nulled: NulledCounts): number;
  /** Returns the price of the missing items of a field, without the selections on them. */
  own(tariff: Tariff, counts: FieldCounts): number;
  /** Adds the calls and costs of the fields selected on missing items to the totals. */
  addFields(tariffs: readonly Tariff[], totals: FieldTotals, counts: FieldCounts): void;
  /**
   * Returns `came`, the measure of the content below a field, plus the measure of the missing
   * items.
   */
  addMeasured(tariffs: readonly Tariff[], matcher: FieldMatcher, counts: FieldCounts, came: Measured): Measured;
}

export function createNulledAmounts(positions: NulledPositions, request: RequestPricing): NulledAmounts {
  const { numbers } = request;
  const openObjects = createOpenObjects(request);
  let walk: ReturnType<typeof createFieldWalk> | undefined;
  const openSums = new Map<NulledCounts, Map<Tariff, number>>();
  const measures = new Map<FieldMatcher, MeasureWalk<never>>();

  function goneOf(field: PlanField, { calls, items }: NulledCounts): number {
    return items + itemsOf(numbers, field, calls);
  }

  /** Returns the number of missing items that the tariff charges for. */
  function paidItems(tariff: Tariff, field: PlanField, nulled: NulledCounts): number {
    if (tariff.multipliesInnerLists || field.model.listDepth < 2) return goneOf(field, nulled);
    return nulled.outerItems + itemsOf(numbers, field, nulled.calls, false);
  }

  function measureOf(tariffs: readonly Tariff[], matcher: FieldMatcher) {
    const known = measures.get(matcher) ?? createMeasureWalk(request.ofAll(tariffs), matcher);
    measures.set(matcher, known);
    return known;
  }

  /**
   * Returns the price of the objects of unknown type. The price is cached, because the cost and the
   * measures may both need it.
   */
  function openSum(tariff: Tariff, field: PlanField, nulled: NulledCounts): number {
    const sums = openSums.get(nulled) ?? new Map<Tariff, number>();
    openSums.set(nulled, sums);
    let sum = sums.get(tariff);
    if (sum === undefined) {
      sum = 0;
      for (const object of nulled.open ?? []) sum += Math.max(0, openObjects.item(tariff, field, object));
      sums.set(tariff, sum);
    }
    return sum;
  }

  return {
    of: (counts) => positions.get(counts),

    items(counts) {
      const nulled = positions.get(counts);
      return nulled ? goneOf(counts.field, nulled) : 0;
    },

    item: (tariff, field) => itemPrice(request.of(tariff), field),

    below(tariff, field, nulled) {
      const { calls, items, outerItems, open = [] } = nulled;
      const gone = { calls, items: items - open.length, outerItems: outerItems - open.length, open: undefined };
      const sum = Math.max(0, itemPrice(request.of(tariff), field)) * paidItems(tariff, field, gone);
      return open.length === 0 ? sum : sum + openSum(tariff, field, nulled);
    },

    own(tariff, counts) {
      const nulled = positions.get(counts);
      const { field } = counts;
      return nulled ? Math.max(0, bareItemPrice(tariff, field)) * paidItems(tariff, field, nulled) : 0;
    },

    addFields(tariffs, totals, counts) {
      const nulled = positions.get(counts);
      const { child } = counts.field;
      if (nulled === undefined || child === undefined) return;
      walk ??= createFieldWalk(tariffs, request);
      walk(totals, child, goneOf(counts.field, nulled));
    },

    addMeasured(tariffs, matcher, counts, came) {
      const nulled = positions.get(counts);
      const { child } = counts.field;
      if (nulled === undefined || child === undefined) return came;
      const gone = measureOf(tariffs, matcher)(child);
      const items = goneOf(counts.field, nulled);
      return { cost: came.cost + items * gone.cost, calls: came.calls + items * gone.calls };
    },
  };
}
