import { parseArgs } from 'node:util';
import { didYouMean } from '../../options/nearest-name.js';

/** A flag of a command. */
export interface Flag {
  /**
   * Name of the flag's value in help.
   * @default none: a switch without a value, which `=false` or the prefix `no-` turns off
   */
  readonly value?: string;
  /** Whether the flag may be given several times. */
  readonly isRepeated?: true;
  /** Environment variable with the same meaning. */
  readonly variable?: string;
  readonly description: string;
}

export type Flags = Readonly<Record<string, Flag>>;

/** Specification of a command, from which Tollgate parses the command line and prints the help. */
export interface CommandSpec<Known extends Flags = Flags> {
  readonly name: string;
  /** Description of the command, in one line. */
  readonly description: string;
  /**
   * Descriptions of the allowed values of the first operand. @default the command has no actions
   */
  readonly actions?: Readonly<Record<string, string>>;
  /** Operand, which follows without a flag. @default none */
  readonly operand?: { readonly name: string; readonly isRepeated?: true; readonly isOptional?: true };
  readonly flags: Known;
  /** Environment variables that the command reads and that have no flag. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Descriptions of the exit codes. */
  readonly exitCodes: Readonly<Record<number, string>>;
}

export type FlagValues<Known extends Flags> = {
  -readonly [Name in keyof Known]?: Known[Name] extends { isRepeated: true }
    ? string[]
    : Known[Name] extends { value: string }
      ? string
      : boolean;
};

interface GivenCommandLine<Known extends Flags> {
  values: FlagValues<Known>;
  /** Operands in their order. If the command has actions, the first operand is the action. */
  operands: string[];
  asksForHelp: boolean;
  /** One line for each mistake. */
  problems: string[];
}

/** Parses the arguments of a command according to its specification. Never throws. */
export function readCommandLine<const Known extends Flags>(
  { flags }: Pick<CommandSpec<Known>, 'flags'>,
  args: readonly string[],
): GivenCommandLine<Known> {
  const names = Object.keys(flags);
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { value }]) => [
      name,
      { type: value === undefined ? ('boolean' as const) : ('string' as const) },
    ]),
  );
  const { tokens } = parseArgs({
    args: [...args],
    options: { ...options, help: { type: 'boolean', short: 'h' } },
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const values: Record<string, string | boolean | string[]> = {};
  const operands: string[] = [];
  const unknown = new Set<number>();
  let asksForHelp = false;
  const problems: string[] = [];
  /**
   * Sets a flag that may be given once. Two different values are a mistake. The message does not
   * contain them, because they may be secrets.
   */
  const setOnce = (name: string, value: string | boolean) => {
    if (Object.hasOwn(values, name) && values[name] !== value) {
      const problem = `--${name}: expected once, got several different values`;
      if (!problems.includes(problem)) problems.push(problem);
    }
    values[name] = value;
  };
  for (const token of tokens) {
    if (token.kind === 'option-terminator') continue;
    if (token.kind === 'positional') {
      // The argument after an unknown flag is probably its value.
      if (!unknown.has(token.index - 1)) operands.push(token.value);
      continue;
    }
    const { name, index, inlineValue } = token;
    const typed = token.rawName;
    const negated = inlineValue === true ? undefined : negatedSwitch(name, flags);
    if (name === 'help') asksForHelp = true;
    else if (negated !== undefined) setOnce(negated, false);
    else if (!Object.hasOwn(flags, name)) {
      // `parseArgs` splits "-port" into one short flag for each letter.
      const written = args[index]!.split('=')[0]!;
      if (!unknown.has(index)) problems.push(`${written}: unknown flag${meant(written, names)}`);
      if (inlineValue !== true) unknown.add(index);
    } else if (flags[name]!.value === undefined) {
      const value = readSwitch(token.value);
      if (value === undefined) problems.push(`${typed}: expected true or false, got ${JSON.stringify(token.value)}`);
      else setOnce(name, value);
    } else if (token.value === undefined) {
      problems.push(`${typed}: expected a value, got nothing`);
    } else if (inlineValue !== true && token.value.startsWith('--')) {
      problems.push(`${typed}: expected a value, got ${token.value}; write a value that begins with "--" after "="`);
    } else if (flags[name]!.isRepeated) values[name] = [...((values[name] as string[]) ?? []), token.value];
    else setOnce(name, token.value);
  }
  return { values: values as FlagValues<Known>, operands, asksForHelp, problems };
}

/** Returns the flag that a name negates: `--no-traffic` means `--traffic=false`. */
function negatedSwitch(name: string, flags: Flags): string | undefined {
  const positive = name.startsWith('no-') ? name.slice('no-'.length) : '';
  return !Object.hasOwn(flags, name) && Object.hasOwn(flags, positive) && flags[positive]!.value === undefined
    ? positive
    : undefined;
}

function meant(written: string, names: readonly string[]): string {
  const name = written.replace(/^-+/, '');
  return (
    didYouMean(name, [...names, 'help'], (nearest) => `--${nearest}`) ||
    `; known flags: ${[...names, 'help'].map((one) => `--${one}`).join(', ')}`
  );
}

function readSwitch(text: string | undefined): boolean | undefined {
  if (text === undefined || text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
}
