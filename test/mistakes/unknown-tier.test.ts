import { ApolloServer } from '@apollo/server';
import { buildSchema } from 'graphql';
import { Registry } from 'prom-client';
import { expect, it, onTestFinished } from 'vitest';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';

const schema = buildSchema('type Query { a: Int }');
const TIERS = [
  { name: 'free', capacity: 100, refillAmount: 1, isDefault: true },
  { name: 'pro', capacity: 1000, refillAmount: 10 },
];

async function serve() {
  const warnings: string[] = [];
  const metrics = new Registry();
  const tollgate = await createTollgate<{ tier?: string }>({
    schema,
    tiers: TIERS,
    metrics,
    identify: ({ contextValue: { tier } }) => ({ user: 'ann', tier }),
    logger: { info() {}, warn: (message) => void warnings.push(message), error() {} },
  });
  const server = new ApolloServer<{ tier?: string }>({
    schema,
    plugins: [tollgate.plugin()],
    stopOnTerminationSignals: false,
  });
  await server.start();
  onTestFinished(async () => {
    await server.stop();
    await tollgate.close();
  });
  /**
   * Sends an operation of a caller on this tier. Returns the capacity of the bucket that is
   * charged.
   */
  async function askOn(tier?: string) {
    const contextValue = tier === undefined ? {} : { tier };
    const { body } = await server.executeOperation({ query: '{ a }' }, { contextValue });
    if (body.kind !== 'single') throw new Error('expected a single result');
    const { cost } = body.singleResult.extensions as { cost: { throttleStatus: { maximumAvailable: number } } };
    return cost.throttleStatus.maximumAvailable;
  }
  const counted = async () => (await metrics.getSingleMetric('tollgate_unknown_tier_total')!.get()).values[0]?.value;
  return { askOn, warnings, counted };
}

it('callers of an unknown tier have the default tier, each unknown tier is logged once, and every operation is counted', async () => {
  const { askOn, warnings, counted } = await serve();
  for (const tier of ['gold', 'gold', 'Pro', 'gold']) expect(await askOn(tier)).toBe(100);
  expect(warnings).toEqual([
    'Unknown tier "gold": its callers have the default tier, free',
    'Unknown tier "Pro": its callers have the default tier, free',
  ]);
  expect(await counted()).toBe(4);
});

it('known tiers and callers without a tier cause no warning', async () => {
  const { askOn, warnings, counted } = await serve();
  expect([await askOn('pro'), await askOn('free'), await askOn()]).toEqual([1000, 100, 100]);
  expect(warnings).toEqual([]);
  expect(await counted()).toBe(0);
});

it('at most 100 unknown tier names are logged, even if callers always choose new names', async () => {
  const { askOn, warnings, counted } = await serve();
  for (let index = 0; index < 150; index++) await askOn(`${index}`.padEnd(1000, 'x'));
  expect(warnings).toHaveLength(100);
  expect(Math.max(...warnings.map(({ length }) => length))).toBeLessThan(200);
  expect(await counted()).toBe(150);
});
