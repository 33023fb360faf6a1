import { describe, expect, it } from 'vitest';
import { DEFAULT_DOCUMENT_LIMITS } from '../../src/documents/measure-document.js';
import { commandHelp } from '../../src/server/commands/command-help.js';
import { COMMANDS, START } from '../../src/server/commands/commands.js';
import { takeCommandLine } from '../../src/server/commands/take-command-line.js';
import { loadConfig } from '../../src/server/config/config.js';
import type { CommandSpec } from '../../src/server/config/read-command-line.js';
import { SETTING_FLAGS, SETTING_VARIABLES, SETTINGS, settingsSchema } from '../../src/server/config/setting-flags.js';
import { runToEnd, spawnCli } from '../helpers/platform.js';
import { temporaryFile } from '../helpers/servers.js';

const BAKE = {
  name: 'bake',
  description: 'bread',
  actions: { plan: 'prints what would be baked', apply: 'bakes it' },
  operand: { name: 'FILE' },
  flags: {
    oven: { value: 'NAME', description: 'which one' },
    with: { value: 'WHAT', isRepeated: true, description: 'what else goes in' },
    slowly: { description: 'over night' },
  },
  exitCodes: { 0: 'baked', 2: 'no bread' },
} as const satisfies CommandSpec;

function take(...args: string[]) {
  let out = '';
  let err = '';
  const taken = takeCommandLine(BAKE, args, {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
  });
  return { ...taken, out, err };
}

describe('the parser of command lines', () => {
  it('the parser assigns values to flags and keeps operands in their order', () => {
    expect(take('apply', '--oven=hot', '--with', 'salt', 'rye.yaml', '--with', '-', '--slowly')).toMatchObject({
      action: 'apply',
      operands: ['rye.yaml'],
      values: { oven: 'hot', with: ['salt', '-'], slowly: true },
    });
    expect(take('plan', 'rye.yaml', '--slowly=false').values).toEqual({ slowly: false });
    expect(take('plan', 'rye.yaml', '--oven', 'hot', '--oven=hot').values).toEqual({ oven: 'hot' });
    expect(take('plan', 'rye.yaml', '--no-slowly').values).toEqual({ slowly: false });
    expect(take('plan', '--', '--rye').operands).toEqual(['--rye']);
    expect(take('plan', 'rye.yaml', '--oven=--odd', '--with=').values).toEqual({ oven: '--odd', with: [''] });
  });

  it.each([
    [
      ['plan', 'a', '--ovn', 'hot'],
      /^tollgate bake: --ovn: unknown flag; did you mean --oven\? See tollgate bake --help\n$/,
    ],
    [['plan', 'a', '-oven', 'hot'], /^tollgate bake: -oven: unknown flag; did you mean --oven\? /],
    [
      ['plan', 'a', '--constructor'],
      /--constructor: unknown flag; known flags: --oven, --with, --slowly, --help\. See/,
    ],
    [['plan', 'a', '--oven'], /--oven: expected a value, got nothing/],
    [
      ['plan', 'a', '--oven', '--slowly'],
      /--oven: expected a value, got --slowly; write a value that begins with "--" after "="/,
    ],
    [['plan', 'a', '--no-oven'], /--no-oven: unknown flag/],
    [['plan', 'a', '--no-slowly=true'], /--no-slowly: unknown flag/],
    [
      ['plan', 'a', '--oven', 'hot', '--oven', 'cold', '--oven=warm'],
      /^tollgate bake: --oven: expected once, got several different values\. See/,
    ],
    [['plan', 'a', '--slowly', '--no-slowly'], /--slowly: expected once, got several different values/],
    [['plan', 'a', '--slowly=perhaps'], /--slowly: expected true or false, got "perhaps"/],
    [['plna', 'a'], /expected plan or apply, got "plna"; did you mean plan\?/],
    [[], /expected plan or apply, got nothing/],
    [['plan'], /FILE: expected one, got nothing/],
    [['plan', 'a', 'b'], /unexpected "b"/],
    [['plan', '--ovn=hot', '--wiht=salt', 'a', 'b'], /--ovn: .*\n.*--wiht: .*\n.*unexpected "b"\nSee tollgate bake/],
  ])('the parser rejects the arguments %j and reports every mistake with its fix', (args, message) => {
    const { exitCode, err } = take(...args);
    expect(exitCode).toBe(2);
    expect(err).toMatch(message);
  });

  it.each([
    '--help',
    '-h',
  ])('the flag %s prints all flags and exit codes despite mistakes in other arguments', (flag) => {
    const { exitCode, out, err } = take('plan', flag, '--ovn');
    expect([exitCode, err]).toEqual([0, '']);
    expect(out).toContain('Usage: tollgate bake plan | apply FILE [flags]');
    expect(out).toMatch(/^ {2}--with WHAT +what else goes in; repeatable$/m);
    expect(out).toMatch(/^ {2}2 +no bread$/m);
  });
});

describe('a command with a closed output pipe', () => {
  it('a command whose output pipe is closed exits normally and prints no error', async () => {
    const schema = temporaryFile('schema.graphql', 'type Query { a: Int }');
    const { child, output, exited } = spawnCli(['cost', '--schema', schema, '--query', '{ a }'], {});
    child.stdout?.destroy();
    expect([await exited, output()]).toEqual([0, '']);
  });
});

describe('the help of the commands', () => {
  it.each(
    COMMANDS.map((command) => [command.name, command] as const),
  )('the help of %s names each flag and exit code in lines of at most 110 columns', (_name, command) => {
    const help = commandHelp(command);
    const lines = help.split('\n');
    for (const flag of Object.keys(command.flags)) expect(help).toMatch(new RegExp(`^ {2}--${flag}( |$)`, 'm'));
    for (const code of Object.keys(command.exitCodes)) expect(help).toMatch(new RegExp(`^ {2}${code} `, 'm'));
    expect(lines.filter((line) => line.length > 110)).toEqual([]);
  });

  it('the defaults in the help equal the actual defaults', () => {
    const byVariable = new Map<string, unknown>(Object.entries(settingsSchema.parse({})));
    const limits = new Map<string, number>(
      Object.entries(DEFAULT_DOCUMENT_LIMITS).map(([name, value]) => [
        `TOLLGATE_${name
          .replace('maxBytes', 'maxDocumentBytes')
          .replace(/[A-Z]/g, (letter) => `_${letter}`)
          .toUpperCase()}`,
        value,
      ]),
    );
    const wrong = Object.entries(SETTINGS).flatMap(([variable, setting]) => {
      const description = 'flag' in setting ? SETTING_FLAGS[setting.flag]!.description : SETTING_VARIABLES[variable]!;
      const stated = /\(default ([\w.,]+)\)/.exec(description)?.[1];
      const is = byVariable.get(variable) ?? limits.get(variable);
      return stated === (is === undefined ? undefined : String(is)) || !is || stated === undefined
        ? []
        : [`${variable}: says ${stated}, is ${is}`];
    });
    expect(wrong).toEqual([]);
    expect([...limits.keys()].filter((variable) => !(variable in SETTINGS))).toEqual([]);
  });

  it('the help of start lists every setting, and the configuration accepts the flags in the help', () => {
    expect(Object.keys(SETTINGS).sort()).toEqual(Object.keys(settingsSchema.shape).sort());
    const help = commandHelp(START);
    for (const variable of Object.keys(SETTINGS)) expect(help).toContain(variable);
    expect(
      loadConfig({ env: {}, args: ['--usage=false', '--max-depth', '7', '--denial-status', '200'] }),
    ).toMatchObject({
      usage: false,
      documentLimits: { maxDepth: 7 },
      denialStatus: 200,
    });
  });

  it('each command prints its help on --help, exits with 0 and starts nothing', async () => {
    const printed = await Promise.all([
      ...COMMANDS.map(({ name }) => runToEnd([name, '--help'], { PORT: 'no port' })),
      runToEnd(['help', 'start'], {}),
      runToEnd(['--help'], {}),
      runToEnd(['strat'], {}),
    ]);
    expect(printed.map(({ status }) => status)).toEqual([...COMMANDS.map(() => 0), 0, 0, 2]);
    for (const [index, command] of COMMANDS.entries()) expect(printed[index]!.output).toBe(commandHelp(command));
    expect(printed.at(-3)!.output).toBe(commandHelp(START));
    expect(printed.at(-1)!.output).toContain('Unknown command "strat"; did you mean start?');
  });
});
