/** A complete command of a client. */
export interface SentCommand {
  /** Arguments of Redis, or messages of PostgreSQL. */
  args: Buffer[];
  raw: Buffer;
}

/**
 * Splits the bytes of a client into commands. `rest` contains the bytes of an incomplete command.
 */
export type CommandParser = (bytes: Buffer) => { commands: SentCommand[]; rest: Buffer };

/** Returns the parser for a protocol. @param protocol protocol of the server's URL */
export function commandParserOf(protocol: string): CommandParser {
  const next = protocol.startsWith('postgres') ? nextOfPostgres : nextOfRedis;
  return (bytes) => {
    const commands: SentCommand[] = [];
    let start = 0;
    for (;;) {
      const command = next(bytes, start);
      if (command === undefined) return { commands, rest: bytes.subarray(start) };
      commands.push({ args: command.args, raw: bytes.subarray(start, command.end) });
      start = command.end;
    }
  };
}

interface NextCommand {
  args: Buffer[];
  end: number;
}

const CRLF = '\r\n';

/**
 * Parses arrays of bulk strings. Source:
 * https://redis.io/docs/latest/develop/reference/protocol-spec/
 */
function nextOfRedis(bytes: Buffer, start: number): NextCommand | undefined {
  const head = bytes.indexOf(CRLF, start);
  if (head < 0) return undefined;
  const count = Number(bytes.toString('latin1', start + 1, head));
  const args: Buffer[] = [];
  let at = head + CRLF.length;
  for (let i = 0; i < count; i++) {
    const end = bytes.indexOf(CRLF, at);
    if (end < 0) return undefined;
    const from = end + CRLF.length;
    const to = from + Number(bytes.toString('latin1', at + 1, end));
    if (bytes.length < to + CRLF.length) return undefined;
    args.push(bytes.subarray(from, to));
    at = to + CRLF.length;
  }
  return { args, end: at };
}

/**
 * Type letters of Parse, Bind, Describe, Execute, Close and Flush. The server replies completely
 * only after the Sync message that follows them.
 */
const BEFORE_SYNC = 'PBDECH';

/**
 * Parses messages up to the first one that completes a request, such as Sync or Query. Source:
 * https://www.postgresql.org/docs/current/protocol-message-formats.html. The messages that open a
 * connection have no type. They begin with a small length, whose first byte is 0.
 */
function nextOfPostgres(bytes: Buffer, start: number): NextCommand | undefined {
  const args: Buffer[] = [];
  for (let at = start; at < bytes.length; ) {
    const type = bytes[at] === 0 ? '' : String.fromCharCode(bytes[at]!);
    const head = at + type.length;
    if (bytes.length < head + 4) return undefined;
    const end = head + bytes.readUInt32BE(head);
    if (bytes.length < end) return undefined;
    args.push(bytes.subarray(at, end));
    at = end;
    if (type === '' || !BEFORE_SYNC.includes(type)) return { args, end };
  }
  return undefined;
}
