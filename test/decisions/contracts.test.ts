import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_TOKEN } from '../helpers/platform.js';
import { type Decider, type DeciderWorld, openWorld } from './decider.js';

// Replays the exchanges of routers and proxies, as their protocols define them. `<receipt>` is the
// receipt of an earlier step.

interface Exchange {
  about: string;
  path?: string;
  method?: string;
  steps: {
    path?: string;
    request?: unknown;
    headers?: Record<string, string>;
    status: number;
    response?: object;
    /** Regular expressions of response headers. */
    responseHeaders?: Record<string, string>;
    /** Members that the response must not contain. */
    absent?: string[];
  }[];
  charged?: { user: string; tokens: number };
}

const FOLDER = new URL('exchanges/', import.meta.url);
const EXCHANGES = readdirSync(FOLDER).map((file): [string, Exchange] => [
  file,
  JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')),
]);

let world: DeciderWorld;
let decider: Decider;
beforeAll(async () => {
  world = await openWorld();
  decider = await world.start({ TOLLGATE_TRUSTED_PROXIES: '1', TOLLGATE_SCORE_HEADER: 'X-GraphQL-Score' });
});
afterAll(() => world.end());

async function replay({ path: shared = '/integrations/apollo-router', method = 'POST', steps, charged }: Exchange) {
  let receipt = '';
  for (const { path = shared, request, headers, status, response, responseHeaders = {}, absent = [] } of steps) {
    const answer = await fetch(`${decider.url}${path}`, {
      method,
      headers: { 'x-tollgate-token': ADMIN_TOKEN, 'content-type': 'application/json', ...headers },
      ...(request !== undefined && { body: JSON.stringify(request).replaceAll('<receipt>', receipt) }),
    });
    const text = await answer.text();
    const body = text === '' ? undefined : JSON.parse(text);
    expect(answer.status, text).toBe(status);
    receipt = body?.context?.entries?.['tollgate::receipt'] ?? receipt;
    if (response) expect(body).toMatchObject(JSON.parse(JSON.stringify(response).replaceAll('<receipt>', receipt)));
    for (const [name, pattern] of Object.entries(responseHeaders))
      expect(answer.headers.get(name) ?? '', name).toMatch(new RegExp(pattern));
    for (const name of absent) expect(body).not.toHaveProperty(name);
  }
  if (charged) expect(await decider.left(charged.user)).toBe(1000 - charged.tokens);
}

describe('exchanges with routers and proxies', () => {
  it.each(EXCHANGES)('%s', (_file, exchange) => replay(exchange));
});
