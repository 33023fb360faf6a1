import { parseArgs } from 'node:util';

export interface Options {
  /** Benchmarks to run, by file name without the extension. Empty: all benchmarks. */
  names: string[];
  quick: boolean;
  /** Number of rounds. @default the number that the benchmark sets */
  rounds?: number;
  /** Text that the name of a scenario must contain, for benchmarks that are measured in turns. */
  scenario?: string;
  /** Path of a file that receives the results as JSON, in addition to the tables. */
  json?: string;
  /** Whether benchmarks with a function `write` write their results into the repository. */
  write?: true;
}

export const USAGE = `npm run bench -- [name...] [--quick] [--rounds N] [--scenario TEXT] [--json FILE] [--write]`;

export function parseOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      quick: { type: 'boolean' },
      rounds: { type: 'string' },
      scenario: { type: 'string' },
      json: { type: 'string' },
      write: { type: 'boolean' },
    },
  });
  const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
  if (rounds !== undefined && !(Number.isInteger(rounds) && rounds >= 1)) {
    throw new TypeError(`--rounds: expected a whole number of 1 or more, got ${values.rounds}`);
  }
  if (values.write && values.quick) {
    throw new TypeError('--write: expected without --quick, whose results are too inaccurate to keep');
  }
  return {
    names: positionals,
    quick: values.quick ?? false,
    ...(rounds !== undefined && { rounds }),
    ...(values.scenario !== undefined && { scenario: values.scenario }),
    ...(values.json !== undefined && { json: values.json }),
    ...(values.write && { write: true as const }),
  };
}
