import { describe, expect, it } from 'vitest';
import type { Logger } from '../../src/model/logger.js';
import { createLog } from '../../src/observability/create-log.js';
import { createPlainLog } from '../../src/observability/create-plain-log.js';

function linesOf(write: (log: Logger) => void): Record<string, unknown>[] {
  let text = '';
  write(
    createPlainLog({
      name: 'tollgate',
      write: (line) => {
        text += line;
      },
    }),
  );
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('the default logger', () => {
  it('the default logger writes lines with the same members as pino', () => {
    let text = '';
    const write = (line: string) => {
      text += line;
    };
    const logError = (log: Logger) => log.error({ pool: 'default', err: new Error('no') }, 'Redis does not answer');
    logError(createLog({ name: 'tollgate' }, { write }));
    const { pid: _pid, hostname: _host, ...ofPino } = JSON.parse(text);
    const [ofOurs] = linesOf(logError);
    expect(Object.keys(ofOurs!).sort()).toEqual(Object.keys(ofPino).sort());
    expect(ofOurs).toMatchObject({ level: 50, name: 'tollgate', msg: 'Redis does not answer', pool: 'default' });
  });

  it('the default logger hides secrets in messages, errors and details', () => {
    const error = new Error('connect redis://user:canary@host:1', { cause: new Error('Bearer canary of tg_canary_1') });
    const text = JSON.stringify(
      linesOf((log) => {
        log.warn('Cannot reach postgres://me:canary@db/x with tg_canary');
        log.error(
          { err: error, request: { headers: { authorization: 'canary' }, variables: { card: 'canary' } } },
          'A',
        );
      }),
    );
    expect(text).not.toContain('canary');
    expect(text).toContain('@host:1');
  });

  it('the default logger writes each message as one line, even if the message has several lines', () => {
    const lines = linesOf((log) => {
      log.info('one\ntwo');
      log.info('three');
    });
    expect(lines.map(({ msg }) => msg)).toEqual(['one\ntwo', 'three']);
  });
});
