const NAMES: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warning',
  50: 'error',
  60: 'fatal',
};
/** Members that are part of the line itself or that do not help a person at a terminal. */
const LEFT_OUT: ReadonlySet<string> = new Set(['level', 'time', 'pid', 'hostname', 'name', 'msg']);
const INDENT = '  ';

/**
 * Formats a log line in pino's form for a person at a terminal: time, name, level and message. The
 * rest of the message and the details follow on indented lines. Callers can influence messages. So
 * control characters are escaped, and all lines but the first are indented. A line in any other
 * form is returned unchanged.
 */
export function logText(line: string): string {
  const members = readMembers(line);
  if (!members) return line;
  const { level, time, name, msg } = members;
  const clock = typeof time === 'number' ? new Date(time).toTimeString().slice(0, 8) : '';
  const head = [clock, name, NAMES[Number(level)] ?? 'info'].filter(Boolean).join(' ');
  const details = Object.entries(members)
    .filter(([key]) => !LEFT_OUT.has(key))
    .map(([key, value]) => `${key}: ${detailText(value)}`);
  const lines = [`${head}: ${String(msg ?? '')}`, ...details].flatMap((text) => text.split('\n'));
  return `${lines.map(withoutControls).join(`\n${INDENT}`)}\n`;
}

function readMembers(line: string): Record<string, unknown> | undefined {
  try {
    const read: unknown = JSON.parse(line);
    return typeof read === 'object' && read !== null ? (read as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the stack of an error with its line breaks, and any other value in one line. */
function detailText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return String(value);
  const { stack, ...rest } = value as Record<string, unknown>;
  if (typeof stack !== 'string') return JSON.stringify(value);
  const { type: _type, message: _message, ...others } = rest;
  return Object.keys(others).length === 0 ? stack : `${stack}\n${JSON.stringify(others)}`;
}

function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are to be escaped
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
