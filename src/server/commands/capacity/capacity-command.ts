import type { CapacityInputs } from '../../../capacity/capacity-inputs.js';
import { MEASURED_ON } from '../../../capacity/measured.js';
import { planCapacity } from '../../../capacity/plan-capacity.js';
import { alternatives } from '../../../options/alternatives.js';
import { didYouMean } from '../../../options/nearest-name.js';
import { type CAPACITY_FLAGS, COPIES, NUMBER_FLAGS, type NumberFlag } from '../../config/capacity-flags.js';
import type { FlagValues } from '../../config/read-command-line.js';
import { CAPACITY } from '../commands.js';
import { type CommandOutput, takeCommandLine } from '../take-command-line.js';
import { printPlan } from './print-plan.js';

/** Runs `tollgate capacity`. Returns the exit code: see `CAPACITY`. */
export function capacityCommand(args: readonly string[], output: CommandOutput): number {
  const taken = takeCommandLine(CAPACITY, args, output);
  if (taken.exitCode !== undefined) return taken.exitCode;
  const { inputs, problems } = readInputs(taken.values);
  if (problems.length > 0) {
    output.stderr.write(problems.map((problem) => `tollgate capacity: ${problem}\n`).join(''));
    return 2;
  }
  const plan = planCapacity(inputs);
  output.stdout.write(
    taken.values.json ? `${JSON.stringify({ inputs, measuredOn: MEASURED_ON, ...plan }, null, 2)}\n` : printPlan(plan),
  );
  return 0;
}

/** Reads the inputs. Returns one line for each mistake. */
function readInputs(values: FlagValues<typeof CAPACITY_FLAGS>): { inputs: CapacityInputs; problems: string[] } {
  const problems: string[] = [];
  const numbers = Object.entries<NumberFlag>(NUMBER_FLAGS).map(([name, declared]) => {
    const text = values[name as keyof typeof NUMBER_FLAGS];
    const value = text === undefined ? declared.default : readNumber(text, declared);
    if (value === undefined) problems.push(`--${name}: expected ${rangeOf(declared)}, got ${shown(text)}`);
    return [declared.input, value] as const;
  });
  const { copies = 'keys' } = values;
  const kind = COPIES.find((one) => one === copies);
  if (kind === undefined) {
    problems.push(`--copies: expected ${alternatives(COPIES)}, got ${shown(copies)}${didYouMean(copies, [...COPIES])}`);
  }
  return { inputs: { ...Object.fromEntries(numbers), copies: kind ?? 'keys' } as CapacityInputs, problems };
}

const FACTORS: Readonly<Record<string, number>> = { '': 1, k: 1e3, M: 1e6, G: 1e9 };

/** Returns the number, or undefined if the text is not a number within the bounds of the flag. */
function readNumber(text: string, { least, most, isWhole }: NumberFlag): number | undefined {
  const [, digits, suffix = ''] = /^(\d{1,15}(?:\.\d{1,6})?)([kMG]?)$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  // `2.3 * 1e6` has a rounding error, which would make it a fraction.
  const value = Number((Number(digits) * FACTORS[suffix]!).toPrecision(15));
  return value >= least && value <= most && (!isWhole || Number.isInteger(value)) ? value : undefined;
}

function rangeOf({ least, most, isWhole }: NumberFlag): string {
  const bounds = `from ${least.toLocaleString('en-US')} to ${most.toLocaleString('en-US')}`;
  return isWhole ? `a whole number ${bounds}${most >= 10e6 ? ', such as 20k or 10M' : ''}` : `a number ${bounds}`;
}

const shown = (text: string | undefined) => (text === undefined ? 'nothing' : JSON.stringify(text));
