import { describe, expect, it } from 'vitest';
import { commandParserOf } from './parse-commands.js';

/** Builds a message of PostgreSQL. The messages that open a connection have no type. */
function message(type: string, body: string): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(4 + body.length);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}

describe.each([
  [
    'redis:',
    [[Buffer.from('*2\r\n$3\r\nget\r\n$2\r\n\r\n\r\n')], [Buffer.from('*1\r\n$4\r\nping\r\n')]],
    [['get', '\r\n'], ['ping']],
  ],
  [
    'postgres:',
    [
      [message('', 'user tollgate')],
      [message('p', 'password')],
      [message('P', 'select 1'), message('B', ''), message('E', ''), message('S', '')],
      [message('Q', 'begin')],
    ],
    undefined,
  ],
])('commands of a client of %s', (protocol, sent, args) => {
  const parts = (args as string[][] | undefined)?.map((one) => one.map((text) => Buffer.from(text))) ?? sent;
  const raws = sent.map((one) => Buffer.concat(one));

  it('commands are separated from each other, with their parts', () => {
    const { commands, rest } = commandParserOf(protocol)(Buffer.concat(raws));
    expect(commands).toEqual(parts.map((one, i) => ({ args: one, raw: raws[i] })));
    expect(rest).toHaveLength(0);
  });

  it('a command is parsed only when all its bytes have arrived, wherever they are cut', () => {
    const all = Buffer.concat(raws);
    for (let cut = 0; cut <= all.length; cut++) {
      const parse = commandParserOf(protocol);
      const first = parse(all.subarray(0, cut));
      const second = parse(Buffer.concat([first.rest, all.subarray(cut)]));
      expect([...first.commands, ...second.commands].map(({ raw }) => raw)).toEqual(raws);
    }
  });
});
