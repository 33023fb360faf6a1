import { type Condition, isIncluded } from '../compile/condition.js';
import { type PlanField, type PlanGroup, type PlanPart, type PlanPosition, typesOf } from '../compile/plan-tree.js';
import { itemWeight, mostExpensiveType, type Tariff } from '../profile.js';
import { priceFunctionOf } from './complexity-function.js';
import { BOUND, type ProgramInput } from './cost-program.js';
import { callAmount, sizeOf } from './field-amounts.js';

/** The highest cost of parts of an operation, worked out part by part; the formula of the whole says the same. */
export interface MostExpensive {
  /** An object of the group, with what is selected on it. */
  object(group: PlanGroup): number;
  /** One call, with all that is below. */
  field(field: PlanField): number;
  /** One item of what a call returns, with what is selected on it. */
  item(field: PlanField): number;
  /** Which of its groups makes a position as dear as it is. */
  groupOf(position: PlanPosition): PlanGroup | undefined;
  /** Which type makes a group as dear as it is. */
  typeOf(group: PlanGroup): string;
}

/** What objects and calls cost at most, for the variables at hand. */
export function createMostExpensive(tariffs: readonly Tariff[], input: ProgramInput): MostExpensive {
  const mostExpensiveGroups = new Map<PlanPosition, PlanGroup | undefined>();
  const groups = new Map<PlanGroup, number[]>();
  const parts = new Map<PlanPart, number[]>();
  const conditions = new Map<Condition, boolean>();

  /** By tariff: what is selected on an object of the group. */
  function selectionsOf(group: PlanGroup): number[] {
    const known = groups.get(group);
    if (known) return known;
    const sums = sumOf(group.fields);
    // Hundreds of groups may have the same parts: each is added up once.
    for (const part of group.parts) {
      const amounts = parts.get(part) ?? sumOf(part.fields);
      parts.set(part, amounts);
      add(sums, amounts);
    }
    groups.set(group, sums);
    return sums;
  }

  function sumOf(fields: readonly PlanField[]): number[] {
    const sums = tariffs.map(() => 0);
    for (const field of fields) {
      if (isIncluded(field.condition, input.variables.values, conditions)) add(sums, amountsOf(field));
    }
    return sums;
  }

  function add(sums: number[], amounts: readonly number[]): void {
    for (let at = 0; at < sums.length; at++) sums[at] = Math.min(sums[at]! + amounts[at]!, BOUND);
  }

  function object(group: PlanGroup): number {
    return selectionsOf(group).reduce(
      (sum, selections, at) => sum + selections + mostExpensiveType(tariffs[at]!, group.types.weights),
      0,
    );
  }

  function mostExpensiveGroup(position: PlanPosition): PlanGroup | undefined {
    if (mostExpensiveGroups.has(position)) return mostExpensiveGroups.get(position);
    let mostExpensive: PlanGroup | undefined;
    let most = Number.NEGATIVE_INFINITY;
    for (const group of position.groups) {
      const amount = object(group);
      if (amount > most) {
        most = amount;
        mostExpensive = group;
      }
    }
    mostExpensiveGroups.set(position, mostExpensive);
    return mostExpensive;
  }

  /** By tariff: one call, with all that is below. */
  function amountsOf(field: PlanField): number[] {
    const { model } = field;
    if (model.isFree) return tariffs.map(() => 0);
    return tariffs.map((tariff, at) => {
      const item = itemOf(tariff, at, field);
      const size = sizeOf(field, input) * (tariff.multipliesInnerLists ? model.innerListSize : 1);
      const regular = callAmount(tariff, field, input) + Math.max(0, size * item);
      const price = tariff.countsCalls ? priceFunctionOf(field) : undefined;
      return Math.min(price?.(Math.max(0, item), input) ?? regular, BOUND);
    });
  }

  function itemOf(tariff: Tariff, at: number, { model, child }: PlanField): number {
    const weight = itemWeight(tariff, model);
    if (child === undefined) return weight ?? 0;
    const items = child.groups.map((group) => {
      return (weight ?? mostExpensiveType(tariff, group.types.weights)) + selectionsOf(group)[at]!;
    });
    if (items.length === 0) return 0;
    if (!tariff.takesMaximaApart) return Math.max(...items);
    const mostExpensive = Math.max(
      ...child.groups.map((group) => weight ?? mostExpensiveType(tariff, group.types.weights)),
    );
    return mostExpensive + Math.max(...child.groups.map((group) => selectionsOf(group)[at]!));
  }

  return {
    object,
    field: (field) => amountsOf(field).reduce((sum, amount) => sum + amount, 0),
    item: (field) => tariffs.reduce((sum, tariff, at) => sum + itemOf(tariff, at, field), 0),
    groupOf: mostExpensiveGroup,
    typeOf: (group) => {
      const weigh = (weight: number | undefined): number =>
        tariffs.reduce((sum, tariff) => sum + mostExpensiveType(tariff, [weight]), 0);
      const types = typesOf(group.types);
      return types.reduce((a, b) => (weigh(b.weight) > weigh(a.weight) ? b : a)).name;
    },
  };
}
