import { parseArgs } from 'node:util';

export interface Options {
  /** The benches to run, by file name without its ending; empty: all. */
  names: string[];
  quick: boolean;
  /** Absent: as many as the bench wants. */
  rounds?: number;
  /** Only the scenarios with this in their names, of benches that are measured by turns. */
  scenario?: string;
  /** Where the results go as JSON besides the tables. */
  json?: string;
}

export const USAGE = `npm run bench -- [name...] [--quick] [--rounds N] [--scenario TEXT] [--json FILE]`;

export function parseOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      quick: { type: 'boolean' },
      rounds: { type: 'string' },
      scenario: { type: 'string' },
      json: { type: 'string' },
    },
  });
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds >= 1)) {
    throw new TypeError(`--rounds: expected a whole number of 1 or more, got ${values.rounds}`);
  }
  return {
    names: positionals,
    quick: values.quick ?? false,
    ...(rounds !== undefined && { rounds }),
    ...(values.scenario !== undefined && { scenario: values.scenario }),
    ...(values.json !== undefined && { json: values.json }),
  };
}
