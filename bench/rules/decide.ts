import { parse } from 'graphql';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { createTollgate } from '../../src/index.js';
import { createPgDb } from '../../src/postgres/create-pg-db.js';
import { migrate } from '../../src/postgres/migrate.js';
import { createChargeBinder } from '../../src/protection/charge-binder.js';
import { startLiveRules } from '../../src/rules/live/live-rules.js';
import { createRulesStore } from '../../src/rules/store/rules-store.js';
import { createDemoSchema } from '../../test/helpers/demo-schema.js';
import type { Variant } from '../frame/bench.js';
import { keepInFlight } from '../frame/keep-in-flight.js';
import { type Population, startSeeded } from './seed.js';

export const METRICS = [
  { name: 'Node CPU us', better: 'lower' },
  { name: 'decisions/s', better: 'higher' },
] as const;

const IN_FLIGHT = 64;
const OPERATIONS = 50;
/** Number of concurrent look-ups before the measurement, which fill the cache with all subjects. */
const LOOKED_UP_AT_ONCE = 1000;

/**
 * Measures all work of the plugin from the identity to the decision: it looks up the subject,
 * matches the limits, estimates the cost, and charges.
 */
export function decide(population: Population): Variant {
  return async ({ redisUrl, warmUpMs, measureMs }) => {
    const server = await startSeeded(population);
    const db = await createPgDb({ url: server.url });
    const schema = createDemoSchema();
    const { limiter, close } = await createTollgate({
      schema,
      identify: () => ({}),
      redis: redisUrl,
      deadlineMs: 1000,
      logger: silent,
    });
    const live = await startLiveRules({
      db,
      store: createRulesStore(db),
      redis: undefined,
      prepare: async () => void (await migrate(db)),
    });
    const analyzer = createCostAnalyzer(schema);
    const binder = createChargeBinder({ mode: 'ENFORCE' });
    const documents = Array.from({ length: OPERATIONS }, (_, index) =>
      parse(`{ countries(first: ${index + 1}) { name capitals } }`),
    );
    const { subjects } = population;
    const subjectOf = (number: number) => ({ user: `user-${number}`, tenant: `tenant-${number % 1000}` });
    for (let from = 0; from < subjects; from += LOOKED_UP_AT_ONCE) {
      const numbers = Array.from({ length: Math.min(LOOKED_UP_AT_ONCE, subjects - from) }, (_, index) => from + index);
      await Promise.all(numbers.map((number) => live.subjects.resolve(subjectOf(number))));
    }

    const work = async (call: number) => {
      const number = (call * 7919) % subjects;
      const { subject: stored } = await live.subjects.resolve(subjectOf(number));
      const subject = { ...stored, ip: `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}` };
      const ruleset = live.ruleset();
      const plan = analyzer.compile(documents[call % OPERATIONS]!);
      const priced = plan.bind({});
      const { cost } = priced.estimate();
      const request = { subject, root: subject.tenant ?? '', client: 'web' };
      const operation = { type: 'QUERY' as const, name: undefined };
      const tier = ruleset.tier(subject.tier);
      const { charges } = binder.bind(plan, priced, cost, ruleset, tier, operation, request);
      const decision = await limiter.charge({ subject, limits: charges });
      if (!decision.admitted || decision.degraded || charges.length < 6) {
        throw new Error(`not charged as expected: ${JSON.stringify({ decision, charges })}`);
      }
    };
    try {
      // The warm-up is long enough for V8 to compile the code, and for Tollgate to bind the rules
      // for every pair of operation and tier.
      await keepInFlight(IN_FLIGHT, 6 * warmUpMs, work);
      const before = process.cpuUsage();
      const { done, elapsedMs } = await keepInFlight(IN_FLIGHT, measureMs, work);
      const { user, system } = process.cpuUsage(before);
      return { '64 in flight': { 'Node CPU us': (user + system) / done, 'decisions/s': (done / elapsedMs) * 1000 } };
    } finally {
      await live.close();
      await close();
      await db.close();
      await server.stop();
    }
  };
}

const silent = { info: () => {}, warn: () => {}, error: (_: object, message: string) => console.error(message) };
