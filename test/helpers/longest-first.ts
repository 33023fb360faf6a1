import { BaseSequencer, type TestSpecification } from 'vitest/node';
import timings from './timings.json' with { type: 'json' };

const SECONDS: Readonly<Record<string, number>> = timings;

/**
 * Begins with the slowest files. If a slow file ran last, the other processor cores would be idle.
 * `scripts/store-timings.mjs` stores the times.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const secondsOf = ({ moduleId }: TestSpecification): number =>
      SECONDS[moduleId.replace(/^.*\/(?=test\/)/, '')] ?? 0;
    return (await super.sort(files)).sort((one, other) => secondsOf(other) - secondsOf(one));
  }
}
