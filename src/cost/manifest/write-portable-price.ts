import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isScalarType,
  specifiedScalarTypes,
} from 'graphql';
import { type ArgumentValue, isConstant } from '../compile/argument-value.js';
import type { CompiledOperation } from '../compile/compiled-operation.js';
import {
  amountAt,
  type ListSizeSlot,
  type SizeSource,
  sizeAt,
  sizeOfItself,
  toAmount,
} from '../compile/read-size-sources.js';
import { writeFormula } from '../price/compile-formula.js';
import { type FormulaDraft, Op } from '../price/formula-algebra.js';
import { type InputWeights, weighInput } from '../schema/input-model.js';
import type { FieldModel } from '../schema/schema-model.js';
import type { Tariff } from '../settings/cost-profile.js';
import { type InputsWriter, portableWeight } from './create-portable-inputs.js';
import { createPortableValues, type ValuesWriter } from './create-portable-values.js';
import type {
  NotPortable,
  PortableAmount,
  PortablePrice,
  PortableSize,
  PortableValue,
  PortableWeight,
} from './portable-price.js';

/**
 * Returns the sum of the costs of an operation under all tariffs, in a form that JSON can
 * represent.
 * @param inputs writer to which the input objects of the formula are added. All operations of a
 * manifest share it
 */
export function writePortablePrice(
  compiled: CompiledOperation,
  tariffs: readonly Tariff[],
  inputs: InputsWriter,
): PortablePrice | NotPortable {
  const { written, total } = writeFormula(compiled, tariffs);
  const sum = written.notNegative(total);
  if (typeof sum === 'number') return sum;
  const result = written.registerOf(sum);
  try {
    return new PriceWriter(compiled, written.draft, inputs).write(result);
  } catch (error) {
    if (error instanceof NotPortableError) return { reason: error.message };
    throw error;
  }
}

class PriceWriter {
  readonly #compiled: CompiledOperation;
  readonly #draft: FormulaDraft;
  readonly #inputs: InputsWriter;
  readonly #values: ValuesWriter;
  readonly #sizes: PortableSize[] = [];
  readonly #placesOfSizes = new Map<number, number>();

  constructor(compiled: CompiledOperation, draft: FormulaDraft, inputs: InputsWriter) {
    this.#compiled = compiled;
    this.#draft = draft;
    this.#inputs = inputs;
    this.#values = createPortableValues(compiled.variables, inputs);
  }

  write(result: number): PortablePrice {
    const { ops, left, right, sums, maxima, weights, prices } = this.#draft;
    if (prices.length > 0) throw new NotPortableError('a function of the schema computes its price');
    const flat: number[] = [];
    for (const [i, op] of ops.entries()) flat.push(op, this.#operand(op, left[i]!), right[i]!);
    return {
      variables: this.#values.variables,
      sizes: this.#sizes,
      ops: flat,
      sums: sums.map(({ constant, factors, registers }) => [
        constant,
        ...factors.flatMap((factor, i) => [factor, registers[i]!]),
      ]),
      maxima,
      weights: weights.map(({ argument, weights: rules }) => this.#weight(argument, rules)),
      result,
    };
  }

  #operand(op: number, operand: number): number {
    if (op === Op.Size) return this.#placeOfSize(operand);
    return op === Op.Included || op === Op.Excluded ? this.#values.placeOf(operand) : operand;
  }

  #placeOfSize(index: number): number {
    const known = this.#placesOfSizes.get(index);
    if (known !== undefined) return known;
    const place = this.#sizes.push(this.#size(this.#compiled.sizeSlots[index]!)) - 1;
    this.#placesOfSizes.set(index, place);
    return place;
  }

  #size(size: number | ListSizeSlot): PortableSize {
    if (typeof size === 'number') return { from: [], otherwise: size };
    const { model, sources, above, page, choice } = size;
    if (choice !== undefined) {
      const { by, given, absent } = choice;
      const unless = { from: this.#amounts(by.sources) };
      return { ...this.#size(given.size), orElse: { unless, size: this.#size(absent.size) } };
    }
    const own = { from: this.#amounts(sources), ...leastOf(model, 0) };
    if (above === undefined) return { ...own, otherwise: model.fallbackSize };
    const rules = { otherwise: sizeOfItself(model), ...(page?.ownReplaces && { ownReplaces: true as const }) };
    const least = page?.least ?? 0;
    if (typeof above === 'number') return { ...own, ...rules, above: Math.max(above, least) };
    const { fallbackSource, fallbackSize } = above.model;
    const assumed = fallbackSource === 'assumedSize' && { otherwise: fallbackSize };
    const from = this.#amounts(above.sources);
    const wins = model.pageSizeWins && page === undefined && { aboveWins: true as const };
    return { ...own, ...rules, above: { from, ...assumed, ...leastOf(above.model, least) }, ...wins };
  }

  #amounts(sources: readonly SizeSource[]): PortableAmount[] {
    return sources.map((source) => this.#amount(source)).filter((amount) => amount !== undefined);
  }

  #amount({ argument, path }: SizeSource): PortableAmount | undefined {
    const { input } = argument;
    const { below } = path;
    if (isConstant(argument)) return sizeAt(argument.constant, path);
    checkAmountType(argument, below);
    const whenAbsent = argument.variable === -1 ? undefined : amountAt(input.defaultValue, path);
    const whenNegative = toAmount(path.valueWhenNegative, path.form);
    const of = this.#value(argument);
    if (whenNegative !== undefined) return [of, below, whenAbsent ?? null, whenNegative];
    return whenAbsent === undefined ? [of, below] : [of, below, whenAbsent];
  }

  #weight(argument: ArgumentValue, rules: InputWeights): PortableWeight {
    const { input } = argument;
    const hasDefault = argument.variable !== -1 && input.defaultValue !== undefined;
    return {
      of: this.#value(argument),
      type: this.#inputs.typeOf(input),
      weight: portableWeight(input),
      whenAbsent: hasDefault ? weighInput(input, input.defaultValue, rules) : 0,
      objectWeight: rules.inputObjectWeight,
      byItem: rules.weighsInputItems,
    };
  }

  #value({ variable, node, input }: ArgumentValue): PortableValue {
    const type = this.#inputs.typeOf(input);
    if (variable !== -1) return { v: this.#values.placeOf(variable) };
    return { type, literal: this.#values.literal(node!) };
  }
}

/**
 * Returns the minimum of a size. If `exactLevels` is negative, the arguments may have another
 * meaning than a size. The minimum is then at least the fallback size.
 */
function leastOf({ exactLevels, fallbackSize }: FieldModel, above: number): { least?: number } {
  const least = Math.max(above, exactLevels < 0 ? fallbackSize : 0);
  return least === 0 ? {} : { least };
}

/**
 * Checks that a client can determine an amount. A client does not know how the server parses a
 * custom scalar or an enum.
 */
function checkAmountType({ input }: ArgumentValue, below: readonly string[]): void {
  let { type } = input;
  for (const name of below) {
    const object = getNullableType(type);
    const field = isInputObjectType(object) ? object.getFields()[name] : undefined;
    if (field === undefined)
      throw new NotPortableError(
        `the size of a list comes from "${below.join('.')}", which is not a member of an input object`,
      );
    type = field.type;
  }
  const named = getNamedType(type);
  if (isListType(getNullableType(type)) || isInputObjectType(named)) return;
  if (isScalarType(named) && specifiedScalarTypes.includes(named)) return;
  throw new NotPortableError(
    `the size of a list comes from a value of type ${named.name}, which only the server can read`,
  );
}

/** Error for a price that JSON cannot represent. `writePortablePrice` catches it. */
class NotPortableError extends Error {}
