import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** What takes tens of seconds, longest first. */
const LONG = [
  'cost/exactness',
  'abuse/requests',
  'abuse/platform',
  'faults/postgres',
  'faults/clock',
  'http/embedded',
  'limiter/histories',
  'http/propagation',
  'rules/store/rules',
  'cost/actual',
  'cost/equivalence',
  'limiter/processes',
].map((name) => `/test/${name}`);

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
