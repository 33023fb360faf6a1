import { ApolloServer } from '@apollo/server';
import { Redis } from 'ioredis';
import { createDemoContext } from '../../packages/platform/src/create-demo-schema.js';
import { createDemoSchema } from '../../test/helpers/demo-schema.js';
import { subjectOf } from '../decision/workload.js';
import type { Variant } from '../frame/bench.js';
import { keepInFlight } from '../frame/keep-in-flight.js';
import { redisCalls } from '../frame/redis-calls.js';
import { redisCpuUs } from '../frame/redis-cpu.js';
import { percentile } from '../frame/statistics.js';
import { type LoadRequest, startLoadGenerator } from './load.js';
import { OPERATION_NAMES, OPERATIONS, type OperationName } from './operations.js';
import type { BenchContext, CreateProtection } from './protection.js';
import { serveApi } from './serve-api.js';

const IN_FLIGHT = 64;
const CALLERS = 1000;
/** Number of callers, so small that each caller is charged often enough to get a lease. */
const HOT_CALLERS = 5;

/** CPU times and calls are per operation. */
export const METRICS = [
  { name: 'server CPU us', better: 'lower' },
  { name: 'Redis CPU us', better: 'lower' },
  { name: 'Redis calls', better: 'lower' },
  { name: 'operations/s', better: 'higher' },
  { name: 'p50 ms', better: 'lower' },
  { name: 'p99 ms', better: 'lower' },
] as const;

interface Load {
  operations: number;
  elapsedMs: number;
  p50Ms: number;
  p99Ms: number;
}

export interface ApiOptions {
  /** Scenarios to measure. @default all */
  only?: string | readonly string[];
  /** @default the default of the platform */
  requestsPerTurn?: number;
  /**
   * Whether to measure also with few callers. The limits must be large enough, because each of
   * these callers is charged often. @default true
   */
  fewCallers?: boolean;
}

/**
 * Measures the sample API with a protection, alternating with the other variants: executed in the
 * process itself, and over HTTP.
 */
export function measureApi(
  createProtection: CreateProtection,
  { only, fewCallers = true, ...app }: ApiOptions = {},
): Variant {
  return async ({ redisUrl, warmUpMs }) => {
    const schema = createDemoSchema();
    const observer = new Redis(redisUrl);
    const protection = await createProtection(schema, redisUrl);
    const server = new ApolloServer<BenchContext>({ schema, plugins: protection.plugins, logger: console });
    await server.start();
    const { url, stop } = await serveApi(server, app);
    const generator = startLoadGenerator();
    const sendOverHttp = async (load: Omit<LoadRequest, 'url' | 'callers'> & { callers?: number }): Promise<Load> => {
      const result = await generator.run({ url, callers: CALLERS, ...load });
      return { ...result, operations: result.requests };
    };
    const overHttp =
      (operation: OperationName, connections: number, callers = CALLERS) =>
      (durationMs: number): Promise<Load> =>
        sendOverHttp({ operation, connections, callers, durationMs });
    // The in-process scenarios run first, so that V8 has compiled the API's code before the HTTP
    // scenarios.
    const loads: Record<string, (durationMs: number) => Promise<Load>> = {};
    for (const name of OPERATION_NAMES) loads[`in process, ${name}`] = inProcess(server, name);
    for (const name of OPERATION_NAMES) loads[`HTTP, ${name}`] = overHttp(name, IN_FLIGHT);
    loads['HTTP, typical, 1 connection'] = overHttp('typical', 1);
    loads['HTTP, typical, half the capacity'] = atHalfCapacity(
      overHttp('typical', IN_FLIGHT),
      (durationMs, ratePerSecond) =>
        sendOverHttp({ operation: 'typical', connections: IN_FLIGHT, durationMs, ratePerSecond }),
    );
    if (fewCallers) loads[`HTTP, typical, ${HOT_CALLERS} callers`] = overHttp('typical', IN_FLIGHT, HOT_CALLERS);
    if (fewCallers) loads['HTTP, typical, 1 caller, 1 connection'] = overHttp('typical', 1, 1);
    return {
      // V8 needs some ten thousand requests to compile the HTTP path, and more for more code.
      warmUpMs: 8 * warmUpMs,
      run: Object.fromEntries(
        Object.entries(loads)
          .filter(([scenario]) => only === undefined || [only].flat().includes(scenario))
          .map(([scenario, load]) => [scenario, (durationMs: number) => measure(load, observer, durationMs)]),
      ),
      async close() {
        generator.stop();
        await stop();
        await server.stop();
        await protection.close();
        await observer.quit();
      },
    };
  };
}

/**
 * Returns a load at half the rate that the server sustains. The first call, which warms the server
 * up, measures this rate.
 */
function atHalfCapacity(
  saturate: (durationMs: number) => Promise<Load>,
  send: (durationMs: number, ratePerSecond: number) => Promise<Load>,
) {
  let ratePerSecond: number | undefined;
  return async (durationMs: number): Promise<Load> => {
    if (ratePerSecond !== undefined) return send(durationMs, ratePerSecond);
    const load = await saturate(durationMs);
    ratePerSecond = (load.operations / load.elapsedMs) * 500;
    return load;
  };
}

function inProcess(server: ApolloServer<BenchContext>, operation: OperationName) {
  return async (durationMs: number): Promise<Load> => {
    const latencies: number[] = [];
    const { done, elapsedMs } = await keepInFlight(IN_FLIGHT, durationMs, async (call) => {
      const start = performance.now();
      await execute(server, operation, call);
      latencies.push(performance.now() - start);
    });
    return { operations: done, elapsedMs, p50Ms: percentile(latencies, 0.5), p99Ms: percentile(latencies, 0.99) };
  };
}

async function execute(server: ApolloServer<BenchContext>, operation: OperationName, call: number): Promise<void> {
  const { query, variables } = OPERATIONS[operation];
  const contextValue = { ...createDemoContext(), subject: subjectOf(call) };
  const { body } = await server.executeOperation({ query, variables: variables(call) }, { contextValue });
  if (body.kind !== 'single' || body.singleResult.errors) throw new Error(`no data: ${JSON.stringify(body)}`);
}

async function measure(
  load: (durationMs: number) => Promise<Load>,
  observer: Redis,
  durationMs: number,
): Promise<Record<string, number>> {
  const callsBefore = await redisCalls(observer);
  const redisBefore = await redisCpuUs(observer);
  const before = process.cpuUsage();
  const { operations, elapsedMs, p50Ms, p99Ms } = await load(durationMs);
  const cpu = process.cpuUsage(before);
  const redisCpu = (await redisCpuUs(observer)) - redisBefore;
  const calls = (await redisCalls(observer)) - callsBefore;
  const perSecond = (operations / elapsedMs) * 1000;
  const serverCpu = cpu.user + cpu.system;
  const perOperation = [serverCpu, redisCpu, calls].map((total) => total / operations);
  const values = [...perOperation, perSecond, p50Ms, p99Ms];
  return Object.fromEntries(METRICS.map(({ name }, index) => [name, values[index]!]));
}
