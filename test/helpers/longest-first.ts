import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Test files that take tens of seconds, longest first. They mostly wait for processes to start and
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

/**
 * A sequencer that starts the files that take longest first. At the end of the run a long file
 * would run alone, with the other processors idle.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const index = LONG.findIndex((name) => moduleId.includes(name));
      return index < 0 ? LONG.length : index;
    };
    return (await super.sort(files)).sort((one, other) => place(one) - place(other));
  }
}
