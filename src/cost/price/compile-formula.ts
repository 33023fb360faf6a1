import type { CompiledOperation, PlanPosition } from '../compile/compiled-operation.js';
import type { Tariff } from '../settings/cost-profile.js';
import { createPricing, selectionsPrice } from './create-pricing.js';
import { finishProgram, type Program } from './finish-program.js';
import { FormulaAlgebra, type FormulaValue } from './formula-algebra.js';

/** Compiles an operation to a program whose only result is its cost under all tariffs together. */
export function compileFormula(compiled: CompiledOperation, tariffs: readonly Tariff[]): Program {
  const { written, total } = writeFormula(compiled, tariffs);
  return finishProgram(written, [total]);
}

/** A formula: its instructions and its result. */
export interface WrittenFormula {
  readonly written: FormulaAlgebra;
  readonly total: FormulaValue;
}

/**
 * Writes the formula of an operation: the sum of its costs under all tariffs, including the root.
 */
export function writeFormula(compiled: CompiledOperation, tariffs: readonly Tariff[]): WrittenFormula {
  const written = new FormulaAlgebra();
  let total: FormulaValue = 0;
  for (const tariff of tariffs) {
    total = written.sum(total, rootWeight(compiled, tariff));
    if (compiled.root) {
      total = written.sum(total, selectionsPrice(createPricing(written, tariff), compiled.root.groups));
    }
  }
  return { written, total };
}

/**
 * Returns the base cost of an operation, without its fields. An annotated weight of the root type
 * replaces the default of the tariff, unless the tariff ignores the weights of types.
 */
export function rootWeight(
  { operation, root }: { operation: CompiledOperation['operation']; root: PlanPosition | undefined },
  tariff: Tariff,
): number {
  const annotated = tariff.countsTypes && !tariff.ignoresTypeWeights ? root?.type.weight : undefined;
  return annotated ?? tariff.roots[operation.operation];
}
