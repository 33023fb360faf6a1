import { ApolloServer } from '@apollo/server';
import { createDemoContext, createDemoSchema } from '../../src/demo/create-demo-schema.js';
import { subjectOf } from '../decision/workload.js';
import type { Conditions, Sample, Variant } from '../frame/bench.js';
import { keepInFlight } from '../frame/keep-in-flight.js';
import { percentile } from '../frame/statistics.js';
import { startLoadGenerator } from './load.js';
import { OPERATION_NAMES, OPERATIONS, type OperationName } from './operations.js';
import type { BenchContext, CreateProtection } from './protection.js';
import { serveApi } from './serve-api.js';

const IN_FLIGHT = 64;

export const METRICS = [
  { name: 'operations/s', better: 'higher' },
  { name: 'p50 ms', better: 'lower' },
  { name: 'p99 ms', better: 'lower' },
  { name: 'server CPU us', better: 'lower' },
] as const;

interface Load {
  operations: number;
  elapsedMs: number;
  p50Ms: number;
  p99Ms: number;
}

/** Measures the sample API behind a protection: executed in the process itself, and over HTTP. */
export function measureApi(createProtection: CreateProtection): Variant {
  return async (conditions) => {
    const schema = createDemoSchema();
    const protection = await createProtection(schema, conditions.redisUrl);
    const server = new ApolloServer<BenchContext>({ schema, plugins: protection.plugins, logger: console });
    await server.start();
    // In process first: then HTTP finds the API's code compiled.
    const sample: Sample = {
      ...(await measureInProcess(server, conditions)),
      ...(await measureOverHttp(server, conditions)),
    };
    await server.stop();
    await protection.close();
    return sample;
  };
}

async function measureOverHttp(server: ApolloServer<BenchContext>, conditions: Conditions): Promise<Sample> {
  const { url, stop } = await serveApi(server);
  const generator = startLoadGenerator();
  const sample: Sample = {};
  for (const operation of OPERATION_NAMES) {
    const run = async (durationMs: number): Promise<Load> => {
      const result = await generator.run({ url, operation, connections: IN_FLIGHT, durationMs });
      return { ...result, operations: result.requests };
    };
    // Some ten thousand requests pass until V8 has compiled all that serves HTTP; what has more code takes longer.
    sample[`HTTP, ${operation}`] = await measure(run, { ...conditions, warmUpMs: 12 * conditions.warmUpMs });
  }
  generator.stop();
  await stop();
  return sample;
}

async function measureInProcess(server: ApolloServer<BenchContext>, conditions: Conditions): Promise<Sample> {
  const sample: Sample = {};
  for (const operation of OPERATION_NAMES) {
    const run = async (durationMs: number): Promise<Load> => {
      const latencies: number[] = [];
      const { done, elapsedMs } = await keepInFlight(IN_FLIGHT, durationMs, async (call) => {
        const start = performance.now();
        await execute(server, operation, call);
        latencies.push(performance.now() - start);
      });
      return { operations: done, elapsedMs, p50Ms: percentile(latencies, 0.5), p99Ms: percentile(latencies, 0.99) };
    };
    sample[`in process, ${operation}`] = await measure(run, { ...conditions, warmUpMs: 4 * conditions.warmUpMs });
  }
  return sample;
}

async function execute(server: ApolloServer<BenchContext>, operation: OperationName, call: number): Promise<void> {
  const { query, variables } = OPERATIONS[operation];
  const contextValue = { ...createDemoContext(), subject: subjectOf(call) };
  const { body } = await server.executeOperation({ query, variables: variables(call) }, { contextValue });
  if (body.kind !== 'single' || body.singleResult.errors) throw new Error(`not answered: ${JSON.stringify(body)}`);
}

async function measure(
  run: (durationMs: number) => Promise<Load>,
  { warmUpMs, measureMs }: Conditions,
): Promise<Record<string, number>> {
  await run(warmUpMs);
  const before = process.cpuUsage();
  const { operations, elapsedMs, p50Ms, p99Ms } = await run(measureMs);
  const cpu = process.cpuUsage(before);
  const values = [(operations / elapsedMs) * 1000, p50Ms, p99Ms, (cpu.user + cpu.system) / operations];
  return Object.fromEntries(METRICS.map(({ name }, index) => [name, values[index]!]));
}
