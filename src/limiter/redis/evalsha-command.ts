import type { Command } from 'ioredis';
import { loadOptional } from '../../model/optional-package.js';

/** Makes the command that runs a script; its `promise` resolves to the reply, strings as bytes. */
export type MakeScriptCommand = (
  sha: string,
  keys: readonly string[],
  request: Buffer,
  argument: string,
) => Command & { readonly promise: Promise<unknown> };

/**
 * EVALSHA as the bytes that go to Redis (RESP: https://redis.io/docs/latest/develop/reference/protocol-spec/). A call
 * names up to a hundred keys: encoding each as an argument of its own takes Node as long as deciding on it.
 *
 * Its class extends one of ioredis, which is loaded here, where there is a Redis.
 */
export async function loadScriptCommand(): Promise<MakeScriptCommand> {
  const { Command } = await loadOptional('ioredis', 'redis', () => import('ioredis'));

  class ScriptCommand extends Command {
    readonly #bytes: Buffer;

    constructor(sha: string, keys: readonly string[], request: Buffer, argument: string) {
      // One key tells a cluster the slot of all of them. No encoding: the reply stays bytes.
      super('evalsha', [sha, '1', keys[0]!], { replyEncoding: null });
      this.#bytes = encode(sha, keys, request, argument);
    }

    override toWritable(): Buffer {
      return this.#bytes;
    }
  }

  return (sha, keys, request, argument) => new ScriptCommand(sha, keys, request, argument);
}

function encode(sha: string, keys: readonly string[], request: Buffer, argument: string): Buffer {
  let head = `*${keys.length + 5}\r\n${bulk('evalsha')}${bulk(sha)}${bulk(String(keys.length))}`;
  for (const key of keys) head += bulk(key);
  head += `$${request.length}\r\n`;
  const tail = `\r\n${bulk(argument)}`;
  const bytes = Buffer.allocUnsafe(head.length + request.length + tail.length);
  bytes.write(head, 0, 'latin1');
  request.copy(bytes, head.length);
  bytes.write(tail, head.length + request.length, 'latin1');
  return bytes;
}

/** Of ASCII, as all keys of ours are: `redis-keys.ts` hashes what is not. */
function bulk(text: string): string {
  return `$${text.length}\r\n${text}\r\n`;
}
