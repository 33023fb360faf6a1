import { describe, expect, it, vi } from 'vitest';
import { createPlainLog } from '../../src/observability/create-plain-log.js';
import { logText } from '../../src/observability/log-text.js';

function textOf(members: object): string {
  return logText(`${JSON.stringify({ level: 40, time: 0, pid: 1, hostname: 'h', name: 'tollgate', ...members })}\n`);
}

describe('the log on a terminal', () => {
  it('says time, name, level and message, and keeps the lines of a message together', () => {
    expect(textOf({ msg: 'What is guessed:\n  User.posts: add a size' })).toMatch(
      /^\d\d:\d\d:\d\d tollgate warning: What is guessed:\n {4}User\.posts: add a size\n$/,
    );
  });

  it('writes the details below, and the stack of an error as lines', () => {
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

  it('lets no text of a caller move the cursor, turn the writing or begin a line of its own', () => {
    const text = textOf({ msg: 'operation "\u001b[2J\u202e\r\n12:00:00 info: all is well"' });
    expect(text).toContain('\\u001b[2J\\u202e\\u000d\n  12:00:00 info');
    expect(text.split('\n').filter((line) => /^\S/.test(line))).toHaveLength(1);
  });

  it('passes on what is no line of the log', () => {
    expect(logText('plain words\n')).toBe('plain words\n');
  });

  it('is what a terminal gets, and JSON what all else gets, from a server that brings no logger', () => {
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
