import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * What takes tens of seconds, longest first: most of that they wait, for processes that start, and
 * for time to pass.
 */
const LONG = [
  'abuse/requests',
  'browser/console',
  'browser/first-start',
  'faults/gateway-memory',
  'platforms/administration',
  'faults/shutdown',
  'platforms/identity',
  'faults/migrations',
  'faults/usage-recorder',
  'faults/clock',
  'faults/postgres',
  'platforms/platform',
  'platforms/resets',
  'faults/redis-failover',
  'cost/actual',
  'gateway/upstream-faults',
  'server/http/embedded',
  'server/http/propagation',
  'rules/store/rules',
  'limiter/lease/processes',
  'server/start-messages',
  'services/instances',
  'simulation-over-http',
  'rule-simulation',
  'server/http/servers',
  'cost/exactness',
  'bounds/caches',
  'live-traffic',
  'server/doctor',
  'gateway/bounds',
  'usage/recorder',
  'bench/frame',
  'limiter/histories',
  'usage-plans',
  'usage-queries',
  'packages/doors',
  'cost/runtime-types',
  'coming-from-query-complexity',
  'limiter/processes',
  'cost/manifest',
  'live-processes',
  'ready-made-folder',
  'server/http/usage',
  'usage-over-http',
  'gateway/headers',
  'postgres/pglite-db',
  'gateway/gateway-process',
  'packages/parse-yaml',
  'docs/documentation',
  'demo-traffic',
].map((name) => `/${name}`);

/** Begins with the files that take longest: one that comes last has the machine to itself while it lasts. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const index = LONG.findIndex((name) => moduleId.includes(name));
      return index < 0 ? LONG.length : index;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}
