import { hideSecrets } from '../../observability/hide-secrets.js';
import { didYouMean } from '../../options/nearest-name.js';
import { type CommandSpec, type Flags, type FlagValues, readCommandLine } from '../config/read-command-line.js';
import { commandHelp } from './command-help.js';

export interface CommandOutput {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
}

type Taken<Known extends Flags> =
  | { values: FlagValues<Known>; operands: string[]; action: string; exitCode?: never }
  | { values?: never; operands?: never; action?: never; exitCode: number };

/**
 * Reads a command line. If help is requested or the line has mistakes, prints the help or all
 * mistakes, and returns the exit code with which the command must end.
 */
export function takeCommandLine<const Known extends Flags>(
  command: CommandSpec<Known>,
  args: readonly string[],
  { stdout, stderr }: CommandOutput,
): Taken<Known> {
  const { values, operands: given, asksForHelp, problems } = readCommandLine(command, args);
  if (asksForHelp) {
    stdout.write(commandHelp(command));
    return { exitCode: 0 };
  }
  const [action = '', ...rest] = command.actions ? given : ['', ...given];
  problems.push(...problemsOfOperands(command, { action, operands: rest }));
  if (problems.length === 0) return { values, operands: rest, action };
  const lines = problems.map((problem) => `tollgate ${command.name}: ${problem}`);
  const seam = lines.length === 1 ? '. ' : '\n';
  stderr.write(`${lines.join('\n')}${seam}See tollgate ${command.name} --help\n`.replace('?. See', '? See'));
  return { exitCode: 2 };
}

function* problemsOfOperands(
  { actions, operand }: Pick<CommandSpec, 'actions' | 'operand'>,
  { action, operands }: { action: string; operands: string[] },
): Iterable<string> {
  if (actions && !Object.hasOwn(actions, action)) {
    const got = action === '' ? 'nothing' : hideSecrets(JSON.stringify(action));
    yield `expected ${Object.keys(actions).join(' or ')}, got ${got}${didYouMean(action, Object.keys(actions))}`;
    return;
  }
  if (operand && !operand.isOptional && operands.length === 0) yield `${operand.name}: expected one, got nothing`;
  const most = operand === undefined ? 0 : operand.isRepeated ? operands.length : 1;
  for (const one of operands.slice(most)) yield `unexpected ${hideSecrets(JSON.stringify(one))}`;
}
