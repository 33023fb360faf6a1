import type { ArgumentValue } from '../compile/argument-value.js';
import type { Condition } from '../compile/condition.js';
import type { ListSizeSlot } from '../compile/read-size-sources.js';
import type { InputWeights } from '../schema/input-model.js';
import { type Algebra, bounded, type PriceFunction, type Value } from './algebra.js';

/**
 * Codes of the instructions. They are numbers, because an estimate spends most of its time on
 * comparing them.
 */
export const Op = { Size: 0, Included: 1, Excluded: 2, Weight: 3, Sum: 4, Product: 5, Maximum: 6, Price: 7 } as const;

/** The sum of a constant and of registers, each multiplied by a factor. */
export interface Sum {
  readonly constant: number;
  readonly factors: readonly number[];
  readonly registers: readonly number[];
}

/** A number known in advance, or a value that the program computes. */
export type FormulaValue = Value<Sum>;

/** Instructions of a formula that is being written. */
export interface FormulaDraft {
  readonly ops: number[];
  readonly left: number[];
  readonly right: number[];
  readonly sums: Sum[];
  readonly maxima: number[][];
  readonly weights: { argument: ArgumentValue; weights: InputWeights }[];
  readonly prices: { price: PriceFunction; otherwise: number }[];
  /** Registers whose value may be negative; undefined until there is one. */
  negative: Set<number> | undefined;
  sizes: Map<number, Sum> | undefined;
  conditions: Map<Condition, FormulaValue> | undefined;
}

/**
 * Algebra that writes a formula, instruction by instruction. Values known in advance need no
 * instruction.
 */
export class FormulaAlgebra implements Algebra<Sum> {
  /**
   * It is written as one object literal, because every operation creates it and JavaScript engines
   * allocate a literal in one step.
   */
  readonly draft: FormulaDraft = {
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

  size(size: number | ListSizeSlot): FormulaValue {
    if (typeof size === 'number') return size;
    this.draft.sizes ??= new Map();
    const known = this.draft.sizes.get(size.index);
    if (known !== undefined) return known;
    const value = emit(this.draft, Op.Size, size.index, 0);
    this.draft.sizes.set(size.index, value);
    return value;
  }

  included(condition: Condition): FormulaValue {
    if (condition.kind === 'always') return 1;
    this.draft.conditions ??= new Map();
    const known = this.draft.conditions.get(condition);
    if (known !== undefined) return known;
    let value: FormulaValue;
    if (condition.kind === 'variable') {
      value = emit(this.draft, condition.negated ? Op.Excluded : Op.Included, condition.variable, 0);
    } else {
      const left = this.included(condition.left);
      const right = this.included(condition.right);
      value = condition.kind === 'and' ? this.multiply(left, right) : this.maximum([left, right]);
    }
    this.draft.conditions.set(condition, value);
    return value;
  }

  weight(argument: ArgumentValue, weights: InputWeights): Sum {
    this.draft.weights.push({ argument, weights });
    const value = emit(this.draft, Op.Weight, this.draft.weights.length - 1, 0);
    markNegative(this.draft, value.registers[0]!);
    return value;
  }

  price(price: PriceFunction, item: FormulaValue, otherwise: FormulaValue): Sum {
    const itemRegister = this.registerOf(item);
    this.draft.prices.push({ price, otherwise: this.registerOf(otherwise) });
    return emit(this.draft, Op.Price, this.draft.prices.length - 1, itemRegister);
  }

  sum(left: FormulaValue, right: FormulaValue): FormulaValue {
    if (typeof left === 'number') {
      if (typeof right === 'number') return bounded(left + right);
      return left === 0 ? right : { ...right, constant: bounded(right.constant + left) };
    }
    if (typeof right === 'number') return this.sum(right, left);
    return this.total(0, [left, right]);
  }

  total(constant: number, open: readonly Sum[]): FormulaValue {
    if (open.length === 0) return bounded(constant);
    let all = bounded(constant);
    const factors = new Map<number, number>();
    for (const value of open) {
      all = bounded(all + value.constant);
      for (let i = 0; i < value.registers.length; i++) {
        const register = value.registers[i]!;
        factors.set(register, bounded((factors.get(register) ?? 0) + value.factors[i]!));
      }
    }
    return { constant: all, registers: [...factors.keys()], factors: [...factors.values()] };
  }

  scale(value: FormulaValue, factor: number): FormulaValue {
    if (typeof value === 'number') return bounded(value * factor);
    if (factor === 0) return 0;
    if (factor === 1) return value;
    return {
      constant: bounded(value.constant * factor),
      factors: value.factors.map((each) => bounded(each * factor)),
      registers: value.registers,
    };
  }

  multiply(left: FormulaValue, right: FormulaValue): FormulaValue {
    if (typeof left === 'number') return this.scale(right, left);
    if (typeof right === 'number') return this.scale(left, right);
    const a = this.registerOf(left);
    const b = this.registerOf(right);
    const product = emit(this.draft, Op.Product, a, b);
    if (this.draft.negative?.has(a) || this.draft.negative?.has(b)) markNegative(this.draft, product.registers[0]!);
    return product;
  }

  maximum(values: readonly FormulaValue[]): FormulaValue {
    let constant = Number.NEGATIVE_INFINITY;
    const others: FormulaValue[] = [];
    for (const value of values) {
      if (typeof value !== 'number') others.push(value);
      else if (value > constant) constant = value;
    }
    if (others.length === 0) return constant;
    if (constant > Number.NEGATIVE_INFINITY) others.push(constant);
    const registers = [...new Set(others.map((value) => this.registerOf(value)))];
    if (registers.length === 1) return single(registers[0]!);
    this.draft.maxima.push(registers);
    const result = emit(this.draft, Op.Maximum, this.draft.maxima.length - 1, 0);
    if (registers.every((each) => this.draft.negative?.has(each))) markNegative(this.draft, result.registers[0]!);
    return result;
  }

  notNegative(value: FormulaValue): FormulaValue {
    if (typeof value === 'number') return value < 0 ? 0 : value;
    return mayBeNegative(this.draft, value) ? this.maximum([value, 0]) : value;
  }

  /**
   * Returns the register that contains the value. If there is no such register, adds an instruction
   * that computes the value, even if it is a constant.
   */
  registerOf(value: FormulaValue): number {
    const all: Sum = typeof value === 'number' ? { constant: value, factors: [], registers: [] } : value;
    if (all.constant === 0 && all.factors.length === 1 && all.factors[0] === 1) return all.registers[0]!;
    this.draft.sums.push(all);
    const register = emit(this.draft, Op.Sum, this.draft.sums.length - 1, 0).registers[0]!;
    if (mayBeNegative(this.draft, all)) markNegative(this.draft, register);
    return register;
  }
}

function emit({ ops, left, right }: FormulaDraft, op: number, a: number, b: number): Sum {
  ops.push(op);
  left.push(a);
  right.push(b);
  return single(ops.length - 1);
}

function markNegative(draft: FormulaDraft, register: number): void {
  draft.negative ??= new Set();
  draft.negative.add(register);
}

function mayBeNegative({ negative }: FormulaDraft, value: Sum): boolean {
  if (value.constant < 0) return true;
  for (let i = 0; i < value.registers.length; i++) {
    if (value.factors[i]! < 0 || negative?.has(value.registers[i]!)) return true;
  }
  return false;
}

function single(register: number): Sum {
  return { constant: 0, factors: [1], registers: [register] };
}
