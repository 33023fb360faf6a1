import type { CompiledOperation } from './compile-operation.js';
import { createLowering, selectionsValue } from './lower.js';
import type { PlanPosition } from './plan-tree.js';
import type { Tariff } from './profile.js';
import { createDraft, finishProgram, type Program, type ProgramDraft, sum, type Value } from './program.js';

/** A formula as it is written: its instructions, and what it comes to. */
export interface WrittenFormula {
  readonly draft: ProgramDraft;
  readonly total: Value;
}

/** The formula of an operation: the sum of what it costs by each of the tariffs, roots included. */
export function writeFormula(compiled: CompiledOperation, tariffs: readonly Tariff[]): WrittenFormula {
  const draft = createDraft();
  let total: Value = 0;
  for (const tariff of tariffs) {
    total = sum(total, rootWeight(compiled, tariff));
    if (compiled.root) total = sum(total, selectionsValue(createLowering(draft, tariff), compiled.root.groups));
  }
  return { draft, total };
}

export function compileFormula(compiled: CompiledOperation, tariffs: readonly Tariff[]): Program {
  const { draft, total } = writeFormula(compiled, tariffs);
  return finishProgram(draft, [total]);
}

/** What an operation costs before any of its fields; an annotated root type says so itself. */
export function rootWeight(
  { operation, root }: { operation: CompiledOperation['operation']; root: PlanPosition | undefined },
  tariff: Tariff,
): number {
  const annotated = tariff.countsTypes ? root?.type.weight : undefined;
  return annotated ?? tariff.roots[operation.operation];
}
