import { Counter, type Registry } from 'prom-client';

/** A counter whose values are kept elsewhere. */
export function showTotals({
  registry,
  name,
  help,
  label,
  totals,
}: {
  registry: Registry;
  name: string;
  help: string;
  label: string;
  totals(): Record<string, number>;
}): void {
  new Counter({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect() {
      this.reset();
      for (const [value, count] of Object.entries(totals())) this.inc({ [label]: value }, count);
    },
  });
}
