import { argumentValue } from '../compile/argument-value.js';
import { weighInput } from '../schema/input-model.js';
import { bounded, type ProgramInput } from './algebra.js';
import { type FormulaAlgebra, type FormulaDraft, type FormulaValue, Op } from './formula-algebra.js';

/**
 * A formula as a sequence of instructions without branches. Running it makes almost no function
 * calls or allocations.
 */
export interface Program {
  /**
   * Runs the formula. Returns its results, each from 0 to `BOUND`. The next run overwrites the
   * returned array.
   */
  run(input: ProgramInput): readonly number[];
  /** Number of instructions; 0 if the results are constant. */
  readonly length: number;
}

/** Converts a formula to a program that computes `results`, in this order. */
export function finishProgram(written: FormulaAlgebra, results: readonly FormulaValue[]): Program {
  if (results.every((value) => typeof value === 'number')) {
    const known = results.map((value) => written.notNegative(value) as number);
    return { run: () => known, length: 0 };
  }
  const registers = results.map((value) => written.registerOf(written.notNegative(value)));
  const { draft } = written;
  const { ops } = draft;
  const scratch = new Float64Array(ops.length);
  const values = registers.map(() => 0);
  return {
    length: ops.length,
    run(input) {
      // A price function may run any formula during this run, even this one. The registers are
      // therefore not shared if there are price functions.
      const r = draft.prices.length === 0 ? scratch : new Float64Array(ops.length);
      execute(draft, input, r);
      for (let i = 0; i < registers.length; i++) values[i] = r[registers[i]!]!;
      return values;
    },
  };
}

function execute(
  { ops, left, right, sums, maxima, weights, prices }: FormulaDraft,
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
