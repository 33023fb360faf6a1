import type { CommandSpec } from '../config/read-command-line.js';

/** Maximum width of a line of the help, in columns. */
const WIDTH = 110;

/**
 * Returns the output of `tollgate COMMAND --help`. `settings` are flags that another page of the
 * docs lists. The help contains one row for all of them.
 */
export function commandHelp(command: CommandSpec, settings: CommandSpec['flags'] = {}): string {
  const flags = Object.entries(command.flags)
    .filter(([name, flag]) => settings[name] !== flag)
    .map(([name, { value, variable, isRepeated, description }]): Row => {
      const often = isRepeated ? '; repeatable' : '';
      const same = variable === undefined ? '' : ` [${variable}]`;
      return [value === undefined ? `--${name}` : `--${name} ${value}`, `${description}${often}${same}`];
    });
  if (flags.length < Object.keys(command.flags).length)
    flags.push(['--SETTING VALUE', 'each setting of configuration.md']);
  const hasVariables = Object.values(command.flags).some(({ variable }) => variable !== undefined);
  const sections: [title: string, rows: Row[]][] = [
    ['', Object.entries(command.actions ?? {})],
    [
      hasVariables ? 'Flags, with the equivalent environment variables:' : 'Flags:',
      [...flags, ['--help, -h', 'print this']],
    ],
    ['Environment variables without a flag:', Object.entries(command.variables ?? {})],
    ['Exit codes:', Object.entries(command.exitCodes)],
  ];
  const shown = sections.filter(([, rows]) => rows.length > 0);
  return [
    `Usage: tollgate ${usageOf(command)}`,
    ...wrap(`${command.description[0]!.toUpperCase()}${command.description.slice(1)}.`, '  ').map(
      (line) => `  ${line}`,
    ),
    ...shown.flatMap(([title, rows]) => ['', ...(title === '' ? [] : [title]), ...table(rows)]),
    '',
  ].join('\n');
}

/** Returns the output of `tollgate --help`. */
export function overviewHelp(commands: readonly CommandSpec[]): string {
  return [
    'Usage: tollgate COMMAND',
    '',
    ...table([
      ...commands.map((command): Row => [usageOf(command).replace(/ \[flags\]$/, ''), command.description]),
      ['--version, --help', ''],
    ]),
    '',
    '"tollgate COMMAND --help" lists the flags and exit codes of a command. Settings come from the environment',
    'too; flags override it.',
    '',
  ].join('\n');
}

/** Returns the usage of a command, such as `rules plan | apply FILE [flags]`. */
function usageOf({ name, actions = {}, operand, flags }: CommandSpec): string {
  const named = operand && `${operand.name}${operand.isRepeated ? ' ...' : ''}`;
  return [
    name,
    Object.keys(actions).join(' | '),
    operand?.isOptional ? `[${named}]` : named,
    Object.keys(flags).length > 0 && '[flags]',
  ]
    .filter(Boolean)
    .join(' ');
}

type Row = [name: string, description: string];

function table(rows: readonly Row[]): string[] {
  const width = Math.max(...rows.map(([name]) => name.length)) + 4;
  return rows.flatMap(([name, description]) => {
    const [first = '', ...others] = wrap(description, ' '.repeat(width));
    return [`  ${name}`.padEnd(width) + first, ...others.map((line) => ' '.repeat(width) + line)].map((line) =>
      line.trimEnd(),
    );
  });
}

function wrap(text: string, indent: string): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && indent.length + last.length + 1 + word.length <= WIDTH) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else lines.push(word);
  }
  return lines;
}
