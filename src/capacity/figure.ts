/** One result of the plan. `formula` is the computation, with the values of this plan. */
export interface Figure {
  value: number;
  unit: 'cores' | 'bytes' | 'servers' | 'rows' | 'per second' | 'per month' | 'connections' | 'callers' | 'operations';
  formula: string;
}

export function figure(value: number, unit: Figure['unit'], formula: string): Figure {
  return { value, unit, formula };
}
