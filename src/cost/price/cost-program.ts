import { type ArgumentValue, argumentValue } from '../compile/argument-value.js';
import type { Condition } from '../compile/condition.js';
import type { ListSizeSlot } from '../compile/list-size.js';
import type { VariableValues } from '../compile/variables.js';
import { type InputWeights, weighInput } from '../schema/input-model.js';

/** A formula in straight-line instructions: no calls, no allocation to speak of. */
export interface Program {
  /** Its results, each between zero and `BOUND`, in an array that the next run fills anew. */
  run(input: ProgramInput): readonly number[];
  /** How many instructions it has; 0: its results are constant. */
  readonly length: number;
}

/** What a formula reads; worked out once per request. */
export interface ProgramInput {
  readonly variables: VariableValues;
  /** The sizes of lists, by slot. */
  readonly sizes: readonly number[];
}

/** The price of one field by a function of the schema's author; undefined: it has nothing to say. */
export type PriceFunction = (childComplexity: number, input: ProgramInput) => number | undefined;

/** A number known beforehand, or a sum of a number and of multiples of registers. */
export type Value = number | Sum;

export interface Sum {
  readonly constant: number;
  readonly factors: readonly number[];
  readonly registers: readonly number[];
}

/**
 * Sums stay exact up to this bound and never exceed it, so that no product of two of them overflows. It lies far above
 * the largest cost that leaves the engine, so that saturation here is never seen there.
 */
export const BOUND = 2 ** 52;

/** The instructions. Numbers rather than names, as an estimate does little else than tell them apart. */
export const Op = { Size: 0, Included: 1, Excluded: 2, Weight: 3, Sum: 4, Product: 5, Maximum: 6, Price: 7 } as const;

/** A formula being written, instruction by instruction; what is constant never becomes one. */
export interface ProgramDraft {
  readonly ops: number[];
  readonly left: number[];
  readonly right: number[];
  readonly sums: Sum[];
  readonly maxima: number[][];
  readonly weights: { argument: ArgumentValue; weights: InputWeights }[];
  readonly prices: { price: PriceFunction; otherwise: number }[];
  /** Registers; undefined until there is one. */
  negative: Set<number> | undefined;
  sizes: Map<number, Sum> | undefined;
  conditions: Map<Condition, Value> | undefined;
}

export function createDraft(): ProgramDraft {
  return {
    ops: [],
    left: [],
    right: [],
    sums: [],
    maxima: [],
    weights: [],
    prices: [],
    negative: undefined,
    sizes: undefined,
    conditions: undefined,
  };
}

export function sizeValue(draft: ProgramDraft, size: number | ListSizeSlot): Value {
  if (typeof size === 'number') return size;
  draft.sizes ??= new Map();
  const known = draft.sizes.get(size.index);
  if (known !== undefined) return known;
  const value = emit(draft, Op.Size, size.index, 0);
  draft.sizes.set(size.index, value);
  return value;
}

/** 1 where the condition holds, else 0. */
export function conditionValue(draft: ProgramDraft, condition: Condition): Value {
  if (condition.kind === 'always') return 1;
  draft.conditions ??= new Map();
  const known = draft.conditions.get(condition);
  if (known !== undefined) return known;
  let value: Value;
  if (condition.kind === 'variable') {
    value = emit(draft, condition.negated ? Op.Excluded : Op.Included, condition.variable, 0);
  } else {
    const left = conditionValue(draft, condition.left);
    const right = conditionValue(draft, condition.right);
    value = condition.kind === 'and' ? multiply(draft, left, right) : maximum(draft, [left, right]);
  }
  draft.conditions.set(condition, value);
  return value;
}

/** The weight of one argument, which depends on the value it has. */
export function weightValue(draft: ProgramDraft, argument: ArgumentValue, weights: InputWeights): Value {
  draft.weights.push({ argument, weights });
  const value = emit(draft, Op.Weight, draft.weights.length - 1, 0);
  markNegative(draft, value.registers[0]!);
  return value;
}

/** What a price function says, or `otherwise` where it says nothing. */
export function priceValue(draft: ProgramDraft, price: PriceFunction, child: Value, otherwise: Value): Value {
  const childRegister = registerOf(draft, child);
  draft.prices.push({ price, otherwise: registerOf(draft, otherwise) });
  return emit(draft, Op.Price, draft.prices.length - 1, childRegister);
}

export function multiply(draft: ProgramDraft, left: Value, right: Value): Value {
  if (typeof left === 'number') return scale(right, left);
  if (typeof right === 'number') return scale(left, right);
  const a = registerOf(draft, left);
  const b = registerOf(draft, right);
  const product = emit(draft, Op.Product, a, b);
  if (draft.negative?.has(a) || draft.negative?.has(b)) markNegative(draft, product.registers[0]!);
  return product;
}

export function maximum(draft: ProgramDraft, values: readonly Value[]): Value {
  let constant = Number.NEGATIVE_INFINITY;
  const others: Value[] = [];
  for (const value of values) {
    if (typeof value !== 'number') others.push(value);
    else if (value > constant) constant = value;
  }
  if (others.length === 0) return constant;
  if (constant > Number.NEGATIVE_INFINITY) others.push(constant);
  const registers = [...new Set(others.map((value) => registerOf(draft, value)))];
  if (registers.length === 1) return single(registers[0]!);
  draft.maxima.push(registers);
  const result = emit(draft, Op.Maximum, draft.maxima.length - 1, 0);
  if (registers.every((each) => draft.negative?.has(each))) markNegative(draft, result.registers[0]!);
  return result;
}

export function notNegative(draft: ProgramDraft, value: Value): Value {
  if (typeof value === 'number') return value < 0 ? 0 : value;
  return mayBeNegative(draft, value) ? maximum(draft, [value, 0]) : value;
}

/** Collects what happens together. */
export interface Total {
  constant: number;
  /** By register; undefined while all is constant. */
  factors: Map<number, number> | undefined;
}

export function createTotal(): Total {
  return { constant: 0, factors: undefined };
}

export function addTo(total: Total, value: Value): void {
  if (typeof value === 'number') {
    total.constant = bounded(total.constant + value);
    return;
  }
  total.constant = bounded(total.constant + value.constant);
  total.factors ??= new Map();
  const { factors } = total;
  for (let i = 0; i < value.registers.length; i++) {
    const register = value.registers[i]!;
    factors.set(register, bounded((factors.get(register) ?? 0) + value.factors[i]!));
  }
}

export function totalValue({ constant, factors }: Total): Value {
  if (factors === undefined) return constant;
  return { constant, registers: [...factors.keys()], factors: [...factors.values()] };
}

export function sum(left: Value, right: Value): Value {
  if (typeof left === 'number') {
    if (typeof right === 'number') return bounded(left + right);
    return left === 0 ? right : { ...right, constant: bounded(right.constant + left) };
  }
  if (typeof right === 'number') return sum(right, left);
  const total = createTotal();
  addTo(total, left);
  addTo(total, right);
  return totalValue(total);
}

export function scale(value: Value, factor: number): Value {
  if (typeof value === 'number') return bounded(value * factor);
  if (factor === 0) return 0;
  if (factor === 1) return value;
  return {
    constant: bounded(value.constant * factor),
    factors: value.factors.map((each) => bounded(each * factor)),
    registers: value.registers,
  };
}

export function finishProgram(draft: ProgramDraft, results: readonly Value[]): Program {
  if (results.every((value) => typeof value === 'number')) {
    const known = results.map((value) => notNegative(draft, value) as number);
    return { run: () => known, length: 0 };
  }
  const registers = results.map((value) => registerOf(draft, notNegative(draft, value)));
  const { ops } = draft;
  const scratch = new Float64Array(ops.length);
  const values = registers.map(() => 0);
  return {
    length: ops.length,
    run(input) {
      // A price function may run any formula meanwhile, even this one.
      const r = draft.prices.length === 0 ? scratch : new Float64Array(ops.length);
      execute(draft, input, r);
      for (let i = 0; i < registers.length; i++) values[i] = r[registers[i]!]!;
      return values;
    },
  };
}

function execute(
  { ops, left, right, sums, maxima, weights, prices }: ProgramDraft,
  input: ProgramInput,
  r: Float64Array,
): void {
  for (let i = 0; i < ops.length; i++) {
    const a = left[i]!;
    let x: number;
    switch (ops[i]) {
      case Op.Size:
        x = input.sizes[a]!;
        break;
      case Op.Included:
        x = input.variables.values[a] === true ? 1 : 0;
        break;
      case Op.Excluded:
        x = input.variables.values[a] === true ? 0 : 1;
        break;
      case Op.Weight: {
        const { argument, weights: inputWeights } = weights[a]!;
        const value = argumentValue(argument, input.variables);
        x = value === undefined ? 0 : weighInput(argument.input, value, inputWeights);
        break;
      }
      case Op.Sum: {
        const { constant, factors, registers } = sums[a]!;
        x = constant;
        for (let j = 0; j < registers.length; j++) x += factors[j]! * r[registers[j]!]!;
        break;
      }
      case Op.Product:
        x = r[a]! * r[right[i]!]!;
        break;
      case Op.Maximum: {
        const registers = maxima[a]!;
        x = r[registers[0]!]!;
        for (let j = 1; j < registers.length; j++) if (r[registers[j]!]! > x) x = r[registers[j]!]!;
        break;
      }
      default: {
        const { price, otherwise } = prices[a]!;
        x = price(r[right[i]!]!, input) ?? r[otherwise]!;
      }
    }
    r[i] = bounded(x);
  }
}

function emit(draft: ProgramDraft, op: number, left: number, right: number): Sum {
  draft.ops.push(op);
  draft.left.push(left);
  draft.right.push(right);
  return single(draft.ops.length - 1);
}

function single(register: number): Sum {
  return { constant: 0, factors: [1], registers: [register] };
}

/** The register that holds a value; a constant gets one too. */
function registerOf(draft: ProgramDraft, value: Value): number {
  const all: Sum = typeof value === 'number' ? { constant: value, factors: [], registers: [] } : value;
  if (all.constant === 0 && all.factors.length === 1 && all.factors[0] === 1) return all.registers[0]!;
  draft.sums.push(all);
  const register = emit(draft, Op.Sum, draft.sums.length - 1, 0).registers[0]!;
  if (mayBeNegative(draft, all)) markNegative(draft, register);
  return register;
}

function markNegative(draft: ProgramDraft, register: number): void {
  draft.negative ??= new Set();
  draft.negative.add(register);
}

function mayBeNegative(draft: ProgramDraft, value: Sum): boolean {
  if (value.constant < 0) return true;
  for (let i = 0; i < value.registers.length; i++) {
    if (value.factors[i]! < 0 || draft.negative?.has(value.registers[i]!)) return true;
  }
  return false;
}

function bounded(value: number): number {
  return value > BOUND ? BOUND : value < -BOUND ? -BOUND : value;
}
