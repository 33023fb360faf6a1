import { expect, it } from 'vitest';
import { createSplitter } from '../../src/gateway/answer/create-splitter.js';

const JSON_OF_A_PART = JSON.stringify({ data: { items: Array.from({ length: 100_000 }, () => 'x') }, hasNext: true });
const AS_MULTIPART = `\r\n---\r\nContent-Type: application/json\r\n\r\n${JSON_OF_A_PART}\r\n---`;
const AS_EVENT = `event: next\ndata: ${JSON_OF_A_PART}\n\n`;

it.each([
  ['multipart/mixed; boundary="-"', AS_MULTIPART],
  ['text/event-stream', AS_EVENT],
])('a part of %s that arrives in many pieces is assembled without a new copy for each piece', (type, text) => {
  const splitter = createSplitter(type)!;
  const bytes = Buffer.from(text);
  const memories = new Set<ArrayBufferLike>();
  const passed: Buffer[] = [];
  const payloads: string[] = [];
  for (let at = 0; at < bytes.length; at += 1000) {
    // Like a read of a socket, each piece has its own memory.
    const piece = Buffer.alloc(Math.min(1000, bytes.length - at), bytes.subarray(at, at + 1000));
    for (const stretch of splitter.push(piece)) {
      passed.push(stretch.bytes);
      if (stretch.payload) payloads.push(stretch.payload.text);
    }
    if (splitter.rest.length > 0) memories.add(splitter.rest.buffer);
  }
  passed.push(splitter.rest);
  expect(Buffer.concat(passed).equals(bytes)).toBe(true);
  expect(payloads).toEqual([JSON_OF_A_PART]);
  expect(memories.size).toBeLessThan(30);
});
