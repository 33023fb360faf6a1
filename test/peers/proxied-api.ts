import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { graphql } from 'graphql';
import { serve } from '../adapters/serve.js';
import { SHOP } from '../decisions/decider.js';
import { findBinary, stopChild, untilPrinted } from '../helpers/servers.js';

const LIST_SIZE = 'directive @listSize(slicingArguments: [String!]) on FIELD_DEFINITION';

/** Serves the API of the deciders without limits, and records the headers of its requests. */
export async function serveApi() {
  const items = (_: unknown, { first }: { first: number }) => Array.from({ length: first }, () => ({ name: 'x' }));
  const schema = makeExecutableSchema({ typeDefs: [LIST_SIZE, SHOP], resolvers: { Query: { items } } });
  const reached: IncomingHttpHeaders[] = [];
  const server = await serve(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    reached.push(request.headers);
    const { query, variables } =
      request.method === 'GET'
        ? Object.fromEntries(new URL(request.url!, 'http://api').searchParams)
        : (JSON.parse(text) as Record<string, never>);
    const answer = await graphql({ schema, source: query!, variableValues: variables as never });
    response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
  return { ...server, port: Number(new URL(server.url).port), reached };
}

interface ProxyOptions {
  /** Source of its releases. The error for a missing program names it. */
  from: string;
  /** Contents of its files, by their names. */
  files: Record<string, string>;
  args(folder: string): string[];
  env?: Record<string, string>;
  /** Text that the proxy prints when it is ready. */
  isReady: RegExp;
}

/** Starts a proxy that is no package of npm or Debian, and waits until it is ready. */
export async function startProxy(binary: string, { from, files, args, env, isReady }: ProxyOptions) {
  const path = findBinary(binary);
  if (!path) throw new Error(`there is no program "${binary}" in PATH: install it from ${from}`);
  const folder = mkdtempSync(join(tmpdir(), `tollgate-${binary}-`));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const child = spawn(path, args(folder), { env: { ...process.env, ...env } });
  await untilPrinted(child, isReady, binary);
  return { stop: () => stopChild(child, folder) };
}

export interface ProxyAnswer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: the tests check the shapes of responses.
  body: any;
}

/** Sends an operation to a proxy. Each address is another caller. */
export async function askProxy(
  url: string,
  body: unknown,
  { address = '198.51.100.1', headers = {} }: { address?: string; headers?: Record<string, string> } = {},
): Promise<ProxyAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': address, ...headers },
    body: JSON.stringify(body),
  });
  return answerOf(response);
}

export async function answerOf(response: Response): Promise<ProxyAnswer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text };
}

/** An operation that costs as many tokens as `first`. Each caller has 1,000. */
export const itemsOf = (first: number) => ({
  query: 'query Items($first: Int!) { items(first: $first) { name } }',
  variables: { first },
});
