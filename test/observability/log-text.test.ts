import { describe, expect, it, vi } from 'vitest';
import { createPlainLog } from '../../src/observability/create-plain-log.js';
import { logText } from '../../src/observability/log-text.js';

function textOf(members: object): string {
  return logText(`${JSON.stringify({ level: 40, time: 0, pid: 1, hostname: 'h', name: 'tollgate', ...members })}\n`);
}

describe('the log on a terminal', () => {
  it('the text log shows time, name, level and message, and indents the following lines of a message', () => {
    expect(textOf({ msg: 'What is guessed:\n  User.posts: add a size' })).toMatch(
      /^\d\d:\d\d:\d\d tollgate warning: What is guessed:\n {4}User\.posts: add a size\n$/,
    );
  });

  it('the text log writes details below the message, and the stack of an error in separate lines', () => {
    const lines = textOf({
      msg: 'No',
      pool: 'default',
      err: { type: 'Error', message: 'x', stack: 'Error: x\n    at y', code: 'E' },
    });
    expect(lines.split('\n').slice(1)).toEqual([
      '  pool: default',
      '  err: Error: x',
      '      at y',
      '  {"code":"E"}',
      '',
    ]);
  });

  it('the text log escapes control characters, so that a caller cannot forge a line', () => {
    const text = textOf({ msg: 'operation "\u001b[2J\u202e\r\n12:00:00 info: all is well"' });
    expect(text).toContain('\\u001b[2J\\u202e\\u000d\n  12:00:00 info');
    expect(text.split('\n').filter((line) => /^\S/.test(line))).toHaveLength(1);
  });

  it('the text log prints text that is not a log line unchanged', () => {
    expect(logText('plain words\n')).toBe('plain words\n');
  });

  it('the default logger writes text to a terminal, and JSON to other outputs', () => {
    const { isTTY: before } = process.stdout;
    const written: string[] = [];
    const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void written.push(line));
    try {
      for (const isTTY of [true, false]) {
        process.stdout.isTTY = isTTY;
        createPlainLog({ name: 'tollgate' }).info('ready');
      }
    } finally {
      process.stdout.isTTY = before;
      log.mockRestore();
    }
    expect(written[0]).toMatch(/^\d\d:\d\d:\d\d tollgate info: ready$/);
    expect(JSON.parse(written[1]!)).toMatchObject({ level: 30, msg: 'ready' });
  });
});
