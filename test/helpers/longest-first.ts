import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes tens of seconds, longest first: most of that they wait, for processes that start, and for time to pass. */
const LONG = [
  'server/http/embedded',
  'simulation-over-http',
  'server/http/servers',
  'platforms/administration',
  'abuse/requests',
  'faults/shutdown',
  'platforms/identity',
  'faults/migrations',
  'faults/usage-recorder',
  'faults/clock',
  'faults/postgres',
  'platforms/platform',
  'platforms/resets',
  'faults/redis-failover',
  'rule-simulation',
  'server/http/propagation',
  'limiter/histories',
  'usage-over-http',
  'usage-queries',
  'packages/doors',
  'rules/store/rules',
  'server/http/usage',
  'limiter/processes',
  'usage/recorder',
  'postgres/pglite-db',
  'cost/exactness',
  'admin/roles',
  'cost/actual',
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
