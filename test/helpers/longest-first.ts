import { BaseSequencer, type TestSpecification } from 'vitest/node';
import timings from './timings.json' with { type: 'json' };

const SECONDS: Readonly<Record<string, number>> = timings;

/**
 * Begins with the files that take longest: a slow file that comes last has the machine to itself.
 * `scripts/store-timings.mjs` stores the times.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId }: TestSpecification): number =>
      SECONDS[moduleId.replace(/^.*\/(?=test\/)/, '')] ?? 0;
    return (await super.sort(files)).sort((one, other) => secondsOf(other) - secondsOf(one));
  }
}
