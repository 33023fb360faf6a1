// Who sends what is refused, in a process of its own, so that it takes no time of the server's: so many requests, one after
// the other, and what the last one was answered.
import { Agent, request as httpRequest } from 'node:http';
import { REFUSALS } from './requests.js';
import type { Answered, Order } from './sender.js';
import type { Make } from './sent.js';

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

process.on('message', async ({ url, refusal, request, from, count }: Order) => {
  const make = (REFUSALS[refusal] as Readonly<Record<string, Make>>)[request]!;
  let last: Answered | undefined;
  for (let number = from; number < from + count; number++) last = await send(url, make(number));
  process.send?.(last);
});

function send(url: string, { method = 'POST', search = '', headers, body }: ReturnType<Make>): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const all = {
      'content-type': 'application/json',
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
      ...headers,
    };
    const sent = httpRequest(url + search, { agent, method, headers: all }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode ?? 0, code: codeOf(text), text: text.slice(0, 300) });
      });
      response.on('error', reject);
    });
    // A body that is not read to its end: the answer may come first, and the connection is closed.
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE' || error.code === 'ECONNRESET') resolve({ status: 413, code: error.code, text: '' });
      else reject(error);
    });
    sent.end(body);
  });
}

function codeOf(text: string): string {
  return /"code":"(\w+)"/.exec(text)?.[1] ?? 'none';
}
