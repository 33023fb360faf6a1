import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { afterEach, describe, expect, it } from 'vitest';
import type { RuleInput } from '../../src/rules/policy/parse-policy.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { until } from '../helpers/until.js';
import type { AdapterContext } from './contract.js';
import type { OpenHandler } from './deferred-costs.js';

const TYPES = /* GraphQL */ `
  directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
  type Query { first: Item, items(first: Int!): [Item], blocked(first: Int!): [Item], slowly(first: Int!): [Item], broken(first: Int!): [Item]! }
  type Item { name: String, items(first: Int!): [Item] }
`;
const CAPACITY = 1000;
const FOUND = 10;

const ONE_AT_A_TIME: RuleInput = {
  name: 'one-at-a-time',
  scope: 'USER',
  field: '*',
  measure: 'REQUESTS',
  limits: [{ algorithm: 'CONCURRENCY', capacity: 1, leaseMs: 600_000 }],
};

interface Part {
  extensions?: { cost?: { requestedQueryCost: number; actualQueryCost: number | null } };
}

/** Describes the actual costs of incremental responses, behind an adapter that supports them. */
export function describeIncrementalCosts(name: string, open: OpenHandler): void {
  describe(`costs of incremental responses behind ${name}`, () => {
    const closers: (() => unknown)[] = [];
    afterEach(async () => {
      for (const close of closers.splice(0).reverse()) await close();
    });

    /** Serves an API whose lists have ten items. The lists `blocked` and `slowly` end after `goOn`. */
    async function serve() {
      let goOn = () => {};
      const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
      const list = () => Array.from({ length: FOUND }, () => ({ name: 'x' }));
      const schema = makeExecutableSchema({
        typeDefs: TYPES,
        resolvers: {
          Query: {
            first: () => ({ name: 'x' }),
            items: list,
            blocked: () => mayGoOn.then(list),
            async *slowly() {
              yield* list().slice(0, 2);
              await mayGoOn;
            },
            broken: () => {
              throw new Error('broken');
            },
          },
          Item: { items: list },
        },
      });
      const tollgate = await createTollgate<AdapterContext>({
        schema,
        identify: () => ({ user: 'ann' }),
        tiers: [{ name: 'free', capacity: CAPACITY, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
        rules: [ONE_AT_A_TIME],
        logger: { info() {}, warn() {}, error() {} },
        deadlineMs: PATIENT_MS,
      });
      const { listener, close } = await open({ tollgate, schema });
      const server = createServer(listener);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      closers.push(async () => {
        goOn();
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        await close?.();
        await tollgate.close();
      });
      const gone = new AbortController();
      async function* ask(query: string, variables?: object): AsyncGenerator<Part> {
        const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', accept: 'multipart/mixed' },
          body: JSON.stringify({ query, variables }),
          signal: gone.signal,
        });
        let text = '';
        for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
          text += chunk;
          const pieces = text.split(/\r\n---(?:--)?(?:\r\n|$)|^---\r\n/);
          text = pieces.pop()!;
          for (const piece of pieces) {
            const at = piece.indexOf('{');
            if (at >= 0) yield JSON.parse(piece.slice(at));
          }
        }
      }
      const quotaOf = async (wanted: string) =>
        (await tollgate.quota({ user: 'ann' })).find(({ rule }) => rule === wanted);
      const spent = async () => CAPACITY - (await quotaOf('tier:free'))!.remaining;
      const slots = async () => (await quotaOf(ONE_AT_A_TIME.name))?.used ?? 0;
      return { ask, goOn, gone, spent, slots };
    }

    async function costOf(query: string, variables?: object) {
      const { ask, spent, slots } = await serve();
      const parts: Part[] = [];
      for await (const part of ask(query, variables)) parts.push(part);
      const cost = parts.at(-1)!.extensions!.cost!;
      expect(await spent()).toBe(cost.actualQueryCost);
      await until('the slot is freed', async () => (await slots()) === 0);
      return { ...cost, parts };
    }

    it('the last part reports the actual cost of all parts, and the rest of the estimate is refunded', async () => {
      const { parts, ...cost } = await costOf('{ first { name } ... @defer { items(first: 50) { name } } }');
      expect(parts.length).toBeGreaterThan(1);
      expect(parts[0]!.extensions!.cost).toMatchObject({ requestedQueryCost: 51, actualQueryCost: null });
      expect(cost).toMatchObject({ requestedQueryCost: 51, actualQueryCost: 1 + FOUND });
    });

    it('the last part of a streamed list reports the cost of the items that were sent', async () => {
      const { parts, ...cost } = await costOf('{ items(first: 50) @stream(initialCount: 2) { name } }');
      expect(parts.length).toBeGreaterThan(1);
      expect(cost).toMatchObject({ requestedQueryCost: 50, actualQueryCost: FOUND });
    });

    it('nested deferred fragments in lists cost what they returned', async () => {
      const query = `{ items(first: 20) { ... @defer(label: "a") { items(first: 2) { ... @defer(label: "b") { name } } } } }`;
      const { actualQueryCost } = await costOf(query);
      expect(actualQueryCost).toBe(FOUND + FOUND * FOUND);
    });

    it('a deferred fragment that fails keeps its estimated cost, and the other parts cost what they returned', async () => {
      const query = '{ items(first: 50) { name } ... @defer { broken(first: 30) { name } } }';
      const { actualQueryCost, requestedQueryCost } = await costOf(query);
      expect([requestedQueryCost, actualQueryCost]).toEqual([80, FOUND + 30]);
    });

    it('without its directives, an operation has the same price', async () => {
      const query = 'query ($on: Boolean!) { first { name } ... @defer(if: $on) { items(first: 50) { name } } }';
      for (const on of [true, false]) {
        const { parts, actualQueryCost } = await costOf(query, { on });
        expect(actualQueryCost).toBe(1 + FOUND);
        expect(parts.length > 1).toBe(on);
      }
    });

    it.each([
      ['{ items(first: 50) { name } ... @defer { later: blocked(first: 30) { name } } }', FOUND + 30],
      ['{ items(first: 50) { name } later: slowly(first: 30) @stream(initialCount: 1) { name } }', FOUND + 30],
    ])('a client that leaves pays the actual cost of its parts and the estimate of the rest: %s', async (query, paid) => {
      const { ask, goOn, gone, spent, slots } = await serve();
      await ask(query).next();
      expect(await slots()).toBe(1);
      gone.abort();
      await until('the operation is settled', async () => (await spent()) === paid);
      goOn();
      await until('the slot is freed', async () => (await slots()) === 0);
      expect(await spent()).toBe(paid);
    });
  });
}
