import {
  type CompiledOperation,
  fieldsOf,
  type PlanField,
  type PlanGroup,
  responseNamesOf,
} from '../compile/compiled-operation.js';
import { readListSize, readSizeSources, type SizeSource } from '../compile/read-size-sources.js';
import type { ProgramInput } from '../price/algebra.js';
import { rootWeight, writeFormula } from '../price/compile-formula.js';
import { bareItemPrice, callPrice, itemsOf, ownPrice, type Pricing } from '../price/create-pricing.js';
import { createMostExpensive } from '../price/most-expensive.js';
import { RequestPricing } from '../price/request-pricing.js';
import type { FieldModel, SizedLists } from '../schema/schema-model.js';
import type { Tariff } from '../settings/cost-profile.js';
import { toTokens } from '../values/to-tokens.js';
import { findMostExpensivePaths, type MostExpensivePath } from './find-most-expensive-paths.js';
import { formulaText, sourceText } from './formula-text.js';

/** Breakdown of the cost of an operation. */
export interface Explanation {
  readonly cost: number;
  /** Base cost of the operation, without its fields. */
  readonly rootCost: number;
  /**
   * Formula of the cost, with the names of variables instead of their values. `[$x]` is 1 if `$x`
   * is true, else 0. `if($x, a, b)` is `a` if `$x` sets the size of a list, else `b`.
   */
  readonly formula: string;
  readonly fields: readonly ExplainedField[];
  /** Paths with the highest own cost, the most expensive first. */
  readonly mostExpensive: readonly MostExpensivePath[];
  /** Whether `fields` is incomplete because the tree is too large to read. */
  readonly isTruncated: boolean;
}

/** Field of an operation, with its part of the estimated cost in tokens. */
export interface ExplainedField {
  /** Response names from the root, separated by dots. */
  readonly path: string;
  readonly coordinate: string;
  /** Cost of one call of the field, including its arguments and directives. */
  readonly weight: number;
  /** Cost of one object or scalar that a call returns. */
  readonly itemWeight: number;
  /** Estimated number of items that one call returns. */
  readonly multiplier: number;
  readonly multiplierFrom: MultiplierSource;
  /**
   * Largest size that a caller may request of the lists that this field returns or sizes. An
   * operation that requests more is rejected.
   */
  readonly maxSize?: number;
  /**
   * The most expensive object type, if several are possible. `fields` has the selections on this
   * type.
   */
  readonly runtimeType?: string;
  /**
   * Number of calls of the field at this path in the whole operation. `ownCost` and `cost` are for
   * all of these calls.
   */
  readonly calls: number;
  /** Cost of the calls and of the items that they return. */
  readonly ownCost: number;
  /** Cost of the calls, including everything below the field. */
  readonly cost: number;
  readonly fields: readonly ExplainedField[];
}

/**
 * Source of a multiplier. `single`: the field is not a list. `literal` and `variable`: a value in
 * the operation sizes the list. `default`: the default of an argument in the schema sizes it.
 * `assumedSize`: an annotation or a preset sets the size. `fallback`: nothing determines the size,
 * so the default list size applies.
 */
export type MultiplierSource =
  | { readonly kind: 'single' | 'assumedSize' | 'fallback' }
  | { readonly kind: 'literal' | 'default'; readonly argument: string }
  | { readonly kind: 'variable'; readonly argument: string; readonly variable: string };

const MAX_FIELDS = 5000;
const MAX_MOST_EXPENSIVE = 5;

interface ExplainOptions {
  readonly compiled: CompiledOperation;
  readonly tariffs: readonly Tariff[];
  readonly cost: number;
  readonly input: ProgramInput;
}

export function explainOperation({ compiled, tariffs, cost, input }: ExplainOptions): Explanation {
  const { root, variables, sizeSlots } = compiled;
  const names = variables.definitions.map((definition) => `$${definition.variable.name.value}`);
  const request = new RequestPricing(input);
  const { numbers } = request;
  const pricings = request.ofAll(tariffs);
  const most = createMostExpensive(tariffs, request);
  let count = 0;

  function explainGroup(group: PlanGroup, path: string, times: number, sizing: Sizing | undefined): ExplainedField[] {
    const fields: ExplainedField[] = [];
    for (const field of fieldsOf(group)) {
      if (field.model.name === '__typename' || numbers.included(field.condition) === 0) continue;
      for (const name of responseNamesOf(field)) {
        if (++count > MAX_FIELDS) return fields;
        fields.push(explainField(field, path === '' ? name : `${path}.${name}`, times, sizing));
      }
    }
    return fields;
  }

  function explainField(field: PlanField, path: string, times: number, sizing: Sizing | undefined): ExplainedField {
    const { model, child, coordinate } = field;
    const given = sizeReading(field);
    const own = model.sizedFields === undefined ? given : { source: { kind: 'fallback' } as const, size: 0 };
    const { source } = model.listDepth === 0 ? SINGLE : sizing?.fields.sizes(model) ? sizedBy(sizing, own, model) : own;
    // A `defaultSize` annotation counts as an assumed size, not as a fallback.
    const multiplierFrom = source.kind === 'fallback' && model.isDefaultGiven ? ASSUMED : source;
    const multiplier = itemsOf(numbers, field, 1);
    const group = child && most.groupOf(child);
    const ownCost = toTokens(times * total((pricing) => ownPrice(pricing, field, group)));
    const nested = sizing?.fields.through(model);
    const isReplaced = model.isSizeInferred && nested !== undefined && sizing?.source.kind !== 'fallback';
    const below =
      model.sizedFields && !isReplaced
        ? { fields: model.sizedFields, ...given }
        : nested && sizing && { ...sizing, fields: nested };
    const isOpen = child !== undefined && (child.groups.length > 1 || child.type.isAbstract);
    return {
      path,
      coordinate,
      weight: total((pricing) => callPrice(pricing, field)),
      itemWeight: total(({ tariff }) => bareItemPrice(tariff, field, group)),
      multiplier,
      multiplierFrom,
      ...(model.maxSize !== undefined && { maxSize: model.maxSize }),
      ...(isOpen && group && { runtimeType: most.typeOf(group) }),
      calls: toTokens(times),
      ownCost,
      cost: toTokens(times * most.field(field)),
      fields: group ? explainGroup(group, path, numbers.multiply(times, multiplier), below) : [],
    };
  }

  function sizeReading({ model, node }: PlanField): SizeReading {
    if (model.slicing.length === 0 || node === undefined) {
      return { source: { kind: model.fallbackSource }, size: model.fallbackSize };
    }
    const { source, size } = readListSize(model, readSizeSources(model, node, variables), input.variables);
    return { source: source ? givenSource(source) : { kind: model.fallbackSource }, size };
  }

  function givenSource(source: SizeSource): MultiplierSource {
    const argument = [source.path.argument.name, ...source.path.below].join('.');
    const text = sourceText(source, names);
    const isAbsent = source.argument.variable !== -1 && input.variables.values[source.argument.variable] === undefined;
    if (text === undefined || isAbsent) return { kind: 'default', argument };
    return text.startsWith('$') ? { kind: 'variable', argument, variable: text } : { kind: 'literal', argument };
  }

  function total(price: (pricing: Pricing<never>) => number): number {
    return pricings.reduce((sum, pricing) => sum + price(pricing), 0);
  }

  const group = root && most.groupOf(root);
  const fields = group ? explainGroup(group, '', 1, undefined) : [];
  const mostExpensive = findMostExpensivePaths({ root, tariffs, request, most, count: MAX_MOST_EXPENSIVE });
  return {
    cost,
    rootCost: signedTokens(total(({ tariff }) => rootWeight(compiled, tariff))),
    formula: formulaText(writeFormula(compiled, tariffs), sizeSlots, variables),
    fields,
    mostExpensive,
    isTruncated: count > MAX_FIELDS,
  };
}

interface SizeReading {
  readonly source: MultiplierSource;
  readonly size: number;
}

interface Sizing extends SizeReading {
  readonly fields: SizedLists;
}

const ASSUMED: MultiplierSource = { kind: 'assumedSize' };
const SINGLE: SizeReading = { source: { kind: 'single' }, size: 1 };

/**
 * Returns the size of a list for which a field above it should set the size. If that field sets no
 * size, the list has its own size.
 */
function sizedBy(above: Sizing, own: SizeReading, { exactLevels, pageSizeWins }: FieldModel): SizeReading {
  if (above.source.kind === 'fallback') return own;
  const isAnnotated = above.fields.level === undefined;
  if (isAnnotated && pageSizeWins) return above;
  const isGiven = own.source.kind !== 'fallback' && own.source.kind !== 'assumedSize';
  // For a page list (`page-lists.ts`), an argument of the list itself replaces the size from above.
  if (isGiven && !isAnnotated && exactLevels >= 0) return own;
  return isGiven && own.size > above.size ? own : above;
}

/**
 * Rounds the base cost of an operation. It may be negative, and then reduces the cost of the
 * fields. Adding zero converts minus zero to zero.
 */
function signedTokens(amount: number): number {
  return amount > 0 ? toTokens(amount) : Math.ceil(amount) + 0;
}
