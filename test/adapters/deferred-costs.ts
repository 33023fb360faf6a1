import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { makeExecutableSchema } from '@graphql-tools/schema';
import { afterEach, describe, expect, it } from 'vitest';
import type { CostReporter } from '../../src/protection/reported-cost.js';
import type { RuleInput } from '../../src/rules/policy/parse-policy.js';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { until } from '../helpers/until.js';
import type { AdapterContext, OpenAdapter, OpenedAdapter } from './contract.js';

/** Opens an adapter that supports incremental responses. */
export type OpenHandler = (
  ...api: Parameters<OpenAdapter>
) => Promise<Extract<OpenedAdapter, { listener: RequestListener }>>;

const TYPES = /* GraphQL */ `
  directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  type Query { first: Item, ask(tokens: Int!): Item }
  type Item { name: String }
`;
const DEFERRED = '{ first { name } now: ask(tokens: 7) { name } ... @defer { later: ask(tokens: 30) { name } } }';

const ONE_AT_A_TIME: RuleInput = {
  name: 'one-at-a-time',
  scope: 'USER',
  field: '*',
  measure: 'REQUESTS',
  limits: [{ algorithm: 'CONCURRENCY', capacity: 1, leaseMs: 600_000 }],
};

/** Describes the costs that resolvers of deferred parts report, behind an adapter that supports `@defer`. */
export function describeDeferredCosts(name: string, open: OpenHandler): void {
  describe(`costs of deferred parts behind ${name}`, () => {
    const closers: (() => unknown)[] = [];
    afterEach(async () => {
      for (const close of closers.splice(0).reverse()) await close();
    });

    /** Serves an API whose deferred part is computed when the test calls `goOn`. */
    async function serve(rules: readonly RuleInput[] = []) {
      let goOn = () => {};
      const mayGoOn = new Promise<void>((resolve) => (goOn = resolve));
      const schema = makeExecutableSchema({
        typeDefs: TYPES,
        resolvers: {
          Query: {
            first: () => ({ name: 'x' }),
            async ask(_: unknown, { tokens }: { tokens: number }, { tollgate }: { tollgate: CostReporter }) {
              if (tokens === 30) await mayGoOn;
              tollgate.addCost(tokens, { field: 'Query.ask' });
              return { name: 'x' };
            },
          },
        },
      });
      const tollgate = await createTollgate<AdapterContext>({
        schema,
        identify: () => ({ user: 'ann' }),
        tiers: [{ name: 'free', capacity: 100, refillAmount: 1, refillPeriodMs: 86_400_000, isDefault: true }],
        rules,
        logger: { info() {}, warn() {}, error() {} },
        deadlineMs: PATIENT_MS,
      });
      const { listener, close } = await open({ tollgate, schema });
      const server: Server = createServer(listener);
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      closers.push(async () => {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        await close?.();
        await tollgate.close();
      });
      const gone = new AbortController();
      const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'multipart/mixed' },
        body: JSON.stringify({ query: DEFERRED }),
        signal: gone.signal,
      });
      const parts = response.body!.pipeThrough(new TextDecoderStream())[Symbol.asyncIterator]();
      let text = '';
      const readUntil = async (wanted: string) => {
        while (!text.includes(wanted)) {
          const { value, done } = await parts.next();
          if (done) throw new Error(`${wanted} is not in ${text}`);
          text += value;
        }
        return text;
      };
      await readUntil('"now"');
      const left = async () =>
        (await tollgate.quota({ user: 'ann' })).find(({ rule }) => rule === 'tier:free')!.remaining;
      const slots = async () =>
        (await tollgate.quota({ user: 'ann' })).find(({ rule }) => rule === 'one-at-a-time')?.used;
      return { goOn, gone, readUntil, left, slots };
    }

    // The estimate of the operation is three tokens.
    it('a cost of a deferred part is charged once, after the first part was sent', async () => {
      const { goOn, readUntil, left } = await serve();
      await until('the first part is charged', async () => (await left()) === 90);
      goOn();
      expect(await readUntil('"later"')).toContain('"cost"');
      await until('the deferred part is charged', async () => (await left()) === 60);
      await expectUnchanged(left, 60);
    });

    it.each([
      ['', []],
      [', and its slot is freed once its resolvers have ended', [ONE_AT_A_TIME]],
    ])('a cost of a deferred part is charged once if its client disconnects before%s', async (_, rules) => {
      const { goOn, gone, left, slots } = await serve(rules);
      await until('the first part is charged', async () => (await left()) === 90);
      gone.abort();
      goOn();
      await until('the deferred part is charged', async () => (await left()) === 60);
      await until('no slot is in use', async () => !(await slots()));
      await expectUnchanged(left, 60);
    });
  });
}

/** Expects that nothing more is charged within several turns of the event loop. */
async function expectUnchanged(left: () => Promise<number>, expected: number): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(await left()).toBe(expected);
}
