import { type ArgumentValue, isConstant } from './argument-value.js';
import { weighInput } from './input-model.js';
import type { PlanField, PlanGroup, PlanPart, PlanPosition } from './plan-tree.js';
import { priceFunctionOf } from './price-function.js';
import { callWeight, dearestType, isConnection, itemWeight, type Tariff } from './profile.js';
import {
  createTotal,
  guardValue,
  maximum,
  multiply,
  notNegative,
  type ProgramDraft,
  priceValue,
  scale,
  sizeValue,
  sum,
  type Value,
  weightValue,
} from './program.js';

/** Turns the tree of a plan into the formula of one number: what happens together is added, what excludes is maximised. */
export interface Lowering {
  /** A produced object: the dearest of the types it can be, with what is selected on it. */
  position(position: PlanPosition): Value;
  /** What is selected on the object that an operation starts from. */
  selections(position: PlanPosition): Value;
  /** A field, given that its object is there. */
  field(field: PlanField): Value;
}

export function createLowering(draft: ProgramDraft, tariff: Tariff): Lowering {
  const positions = new Map<PlanPosition, Value>();
  const parts = new Map<PlanPart, Value>();

  function position(position: PlanPosition): Value {
    if (!position.isShared) return lowerPosition(position);
    let value = positions.get(position);
    if (value === undefined) {
      value = lowerPosition(position);
      positions.set(position, value);
    }
    return value;
  }

  function lowerPosition({ groups }: PlanPosition): Value {
    if (groups.length === 1) {
      const [only] = groups as readonly [PlanGroup];
      return sum(dearestType(tariff, only.types.weights), group(only));
    }
    if (groups.length === 0) return 0;
    if (tariff.takesMaximaApart) {
      const dearest = Math.max(...groups.map((each) => dearestType(tariff, each.types.weights)));
      return sum(dearest, maximum(draft, groups.map(group)));
    }
    return maximum(
      draft,
      groups.map((each) => sum(dearestType(tariff, each.types.weights), group(each))),
    );
  }

  function selections({ groups }: PlanPosition): Value {
    return groups.length === 0 ? 0 : maximum(draft, groups.map(group));
  }

  function group({ parts: own }: PlanGroup): Value {
    if (own.length === 1) return part(own[0]!);
    const total = createTotal();
    for (const each of own) total.add(part(each));
    return total.value();
  }

  function part(part: PlanPart): Value {
    if (!part.isShared) return lowerFields(part.fields);
    let value = parts.get(part);
    if (value === undefined) {
      value = lowerFields(part.fields);
      parts.set(part, value);
    }
    return value;
  }

  function lowerFields(fields: readonly PlanField[]): Value {
    let constant = 0;
    let total: ReturnType<typeof createTotal> | undefined;
    for (const each of fields) {
      const value = field(each);
      if (typeof value === 'number') {
        constant += value;
      } else {
        total ??= createTotal();
        total.add(value);
      }
    }
    if (total === undefined) return scale(constant, 1);
    total.add(constant);
    return total.value();
  }

  function field(field: PlanField): Value {
    const { model, child } = field;
    if (model.isFree) return 0;
    const item = child === undefined ? (itemWeight(tariff, model) ?? 0) : itemOf(child, itemWeight(tariff, model));
    const below = notNegative(draft, itemsOf(draft, field, item, tariff.multipliesInnerLists));
    const regular = sum(callValue(draft, tariff, field), below);
    const price = tariff.countsCalls ? priceFunctionOf(field) : undefined;
    const value = price === undefined ? regular : priceValue(draft, price, notNegative(draft, item), regular);
    return field.guard.kind === 'always' ? value : multiply(draft, guardValue(draft, field.guard), value);
  }

  function itemOf(child: PlanPosition, weight: number | undefined): Value {
    return weight === undefined ? position(child) : sum(weight, selections(child));
  }

  return { position, selections, field };
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
    return tariff.connections === 'requests' ? 1 : sizeValue(draft, field.given);
  }
  let value: Value = callWeight(tariff, model);
  if (!tariff.countsCalls) return value;
  if (field.priced !== undefined) value = sum(value, argumentsValue(draft, tariff, field.priced));
  if (field.directives !== undefined) value = sum(value, directivesValue(draft, tariff, field));
  return notNegative(draft, value);
}

function argumentsValue(draft: ProgramDraft, tariff: Tariff, priced: readonly ArgumentValue[]): Value {
  const total = createTotal();
  for (const argument of priced) {
    if (isConstant(argument)) {
      total.add(weighInput(argument.input, argument.constant, tariff.inputObjectWeight));
    } else if (weighs(argument, tariff)) {
      total.add(weightValue(draft, argument, tariff.inputObjectWeight));
    }
  }
  return total.value();
}

function weighs({ input }: ArgumentValue, tariff: Tariff): boolean {
  return input.weight !== undefined || tariff.inputObjectWeight !== 0 || input.object?.isWeighted() === true;
}

/** Far below any weight: stands for a selection that is not included. */
const NOT_INCLUDED = -(2 ** 40);

/** Of merged selections that carry different directives, the dearest that is included. */
function directivesValue(draft: ProgramDraft, tariff: Tariff, field: PlanField): Value {
  const candidates = field.directives!.map(({ guard, priced }) => {
    const weight = argumentsValue(draft, tariff, priced);
    if (guard === field.guard || guard.kind === 'always') return weight;
    return sum(NOT_INCLUDED, multiply(draft, guardValue(draft, guard), sum(weight, -NOT_INCLUDED)));
  });
  return maximum(draft, candidates);
}
