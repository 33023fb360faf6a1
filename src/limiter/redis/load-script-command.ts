import type { Command } from 'ioredis';
import { loadOptional } from '../../runtime/packages/load-optional.js';
import { importIoredis } from './import-ioredis.js';
import type { Script } from './scripts.js';

/**
 * Creates the command that runs a script. Its `promise` resolves to the reply, with strings as
 * bytes.
 */
export type MakeScriptCommand = (
  script: Script,
  keys: readonly string[],
  request: Buffer,
  argument: string,
) => Command & { readonly promise: Promise<unknown> };

/**
 * Returns a factory of EVALSHA commands, encoded as the bytes that are sent to Redis (RESP:
 * https://redis.io/docs/latest/develop/reference/protocol-spec/). A call names up to a hundred
 * keys: in Node, encoding each key as a separate argument takes as long as the decision.
 *
 * The class of the command extends one of ioredis, which is loaded here, only if Redis is used.
 */
export async function loadScriptCommand(): Promise<MakeScriptCommand> {
  const { Command } = await loadOptional('ioredis', 'redis', importIoredis);

  class ScriptCommand extends Command {
    readonly #bytes: Buffer;

    constructor(script: Script, keys: readonly string[], request: Buffer, argument: string) {
      // One key is enough for a cluster client to find the hash slot, or the node, of all keys.
      // Without encoding the reply stays bytes.
      super('evalsha', [script.sha, '1', keys[0]!], { replyEncoding: null });
      this.#bytes = encode(script, keys, request, argument);
    }

    override toWritable(): Buffer {
      return this.#bytes;
    }
  }

  return (script, keys, request, argument) => new ScriptCommand(script, keys, request, argument);
}

function encode({ sha, acrossSlots }: Script, keys: readonly string[], request: Buffer, argument: string): Buffer {
  const declared = acrossSlots ? 1 : keys.length;
  let head = `*${keys.length + 5}\r\n${bulk('evalsha')}${bulk(sha)}${bulk(String(declared))}`;
  for (let i = 0; i < declared; i++) head += bulk(keys[i]!);
  head += `$${request.length}\r\n`;
  let tail = `\r\n${bulk(argument)}`;
  for (let i = declared; i < keys.length; i++) tail += bulk(keys[i]!);
  const bytes = Buffer.allocUnsafe(head.length + request.length + tail.length);
  bytes.write(head, 0, 'latin1');
  request.copy(bytes, head.length);
  bytes.write(tail, head.length + request.length, 'latin1');
  return bytes;
}

/**
 * Encodes ASCII text as a bulk string. All keys are ASCII: `keys-for.ts` hashes ids that are not.
 */
function bulk(text: string): string {
  return `$${text.length}\r\n${text}\r\n`;
}
