import { callAmount } from './amounts.js';
import type { CompiledOperation } from './compile-operation.js';
import type { FieldCost } from './cost-plan.js';
import { addFieldTotal, type FieldTotals, listFields } from './field-costs.js';
import { rootWeight } from './formulas.js';
import type { FieldMatcher } from './measure.js';
import type { PlanField } from './plan-tree.js';
import { priceFunctionOf } from './price-function.js';
import { dearestType, isConnection, itemWeight, type Tariff } from './profile.js';
import type { ProgramInput } from './program.js';
import { countResponse, type FieldCounts, type ObjectCounts } from './response-counts.js';

/** What a response cost, by any tariff and measure; all of it from the counts of one pass. */
export interface ActualTotals {
  sum(tariffs: readonly Tariff[]): number;
  measure(tariffs: readonly Tariff[], matcher: FieldMatcher): { cost: number; calls: number };
  fields(tariffs: readonly Tariff[]): readonly FieldCost[];
}

export function totalActual(
  compiled: CompiledOperation,
  tariffs: readonly Tariff[],
  data: unknown,
  input: ProgramInput,
): ActualTotals {
  const isCounted = ({ model, priced, directives }: PlanField): boolean =>
    model.weight !== undefined ||
    model.leafWeight !== undefined ||
    model.complexity !== undefined ||
    priced !== undefined ||
    directives !== undefined ||
    isConnection(model) ||
    tariffs.some((tariff) => tariff.scalarWeight !== 0 || tariff.scalarFieldWeight !== 0);
  const root = compiled.root && countResponse(compiled.root, data, input, isCounted);

  /** Everything selected on the objects that came, for one tariff. */
  function selections(tariff: Tariff, { groups }: ObjectCounts): number {
    let sum = 0;
    for (const group of groups) {
      if (group === undefined) continue;
      for (const counts of group.fields) sum += field(tariff, counts);
    }
    return sum;
  }

  function field(tariff: Tariff, counts: FieldCounts): number {
    const { field: planned, calls, answers, items } = counts;
    if (calls === 0 || planned.model.isFree) return 0;
    const below = Math.max(0, producedBy(tariff, counts) + (counts.objects ? selections(tariff, counts.objects) : 0));
    const isFlat = tariff.multipliesInnerLists || planned.model.listDepth < 2 || items === 0;
    const scaled = isFlat ? below : (below * counts.outerItems) / items;
    const price = tariff.countsCalls ? priceFunctionOf(planned) : undefined;
    if (price !== undefined) {
      // The function wants the cost of one item: of those that came, the mean.
      const whole = price(items === 0 ? 0 : below / items, input);
      const empty = price(0, input);
      if (whole !== undefined && empty !== undefined) return answers * whole + (calls - answers) * empty;
    }
    return callsOf(tariff, counts) + scaled;
  }

  function callsOf(tariff: Tariff, counts: FieldCounts): number {
    const { model } = counts.field;
    if (tariff.connections === 'nodes') return isConnection(model) ? nodesOf(counts) : 0;
    return counts.calls * callAmount(tariff, counts.field, input);
  }

  /** The objects and scalars that came, without what is selected on them. */
  function producedBy(tariff: Tariff, { field: planned, items, objects }: FieldCounts): number {
    const weight = itemWeight(tariff, planned.model);
    if (weight !== undefined || objects === undefined) return items * (weight ?? 0);
    let sum = 0;
    for (const group of objects.groups) {
      if (group === undefined) continue;
      let untold = group.objects;
      for (const [own, count] of group.byWeight ?? []) {
        sum += count * dearestType(tariff, [own]);
        untold -= count;
      }
      if (untold > 0) sum += untold * dearestType(tariff, group.group.types.weights);
    }
    return sum;
  }

  function ownCost(tariff: Tariff, counts: FieldCounts): number {
    const price = tariff.countsCalls ? priceFunctionOf(counts.field)?.(0, input) : undefined;
    if (price !== undefined) return counts.calls * price;
    return callsOf(tariff, counts) + Math.max(0, producedBy(tariff, counts));
  }

  return {
    sum: (asked) => {
      let sum = 0;
      for (const tariff of asked) sum += rootWeight(compiled, tariff) + (root ? selections(tariff, root) : 0);
      return sum;
    },
    measure: (asked, matcher) => {
      if (root === undefined) return { cost: 0, calls: 0 };
      return measureObjects(root, matcher, (counts) => {
        let sum = 0;
        for (const tariff of asked) sum += field(tariff, counts);
        return sum;
      });
    },
    fields: (asked) => {
      const totals: FieldTotals = new Map();
      const add = (objects: ObjectCounts): void => {
        for (const group of objects.groups) {
          if (group === undefined) continue;
          for (const other of group.others) {
            if (other.model.name !== '__typename') addFieldTotal(totals, other.coordinate, group.objects, 0);
          }
          for (const counts of group.fields) {
            let own = 0;
            for (const tariff of asked) own += ownCost(tariff, counts);
            addFieldTotal(totals, counts.field.coordinate, counts.calls, own);
            if (counts.objects) add(counts.objects);
          }
        }
      };
      if (root) add(root);
      return listFields(totals);
    },
  };
}

/** The nodes of a connection: the longest of the lists that it sizes, or its own. */
function nodesOf({ field, items, objects }: FieldCounts): number {
  const { sizedFields } = field.model;
  if (sizedFields === undefined || objects === undefined) return items;
  let nodes = 0;
  for (const group of objects.groups) {
    for (const counts of group?.fields ?? []) {
      if (sizedFields.has(counts.field.model.name)) nodes = Math.max(nodes, counts.items);
    }
  }
  return nodes;
}

/** As the estimate does it: where types of one group match differently, the case that counts most. */
function measureObjects(
  { groups }: ObjectCounts,
  matcher: FieldMatcher,
  price: (counts: FieldCounts) => number,
): { cost: number; calls: number } {
  const sum = { cost: 0, calls: 0 };
  for (const counts of groups) {
    if (counts === undefined) continue;
    const below = new Map(
      counts.fields.map((each) => [
        each,
        each.objects ? measureObjects(each.objects, matcher, price) : { cost: 0, calls: 0 },
      ]),
    );
    const most = { cost: 0, calls: 0 };
    for (const matching of matcher(counts.group)) {
      let cost = 0;
      let calls = 0;
      for (const each of counts.fields) {
        const inner = below.get(each)!;
        const isMatch = matching.has(each.field);
        cost += isMatch ? price(each) : inner.cost;
        calls += inner.calls + (isMatch ? each.calls : 0);
      }
      for (const other of counts.others) if (matching.has(other)) calls += counts.objects;
      most.cost = Math.max(most.cost, cost);
      most.calls = Math.max(most.calls, calls);
    }
    sum.cost += most.cost;
    sum.calls += most.calls;
  }
  return sum;
}
