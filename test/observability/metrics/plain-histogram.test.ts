import fc from 'fast-check';
import { Histogram, Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createPlainHistogram } from '../../../src/observability/metrics/bound-metrics.js';

it('a plain histogram shows the same values as a histogram of prom-client', async () => {
  const observation = fc.record({
    value: fc.double({ min: 0, max: 20, noNaN: true }),
    type: fc.constantFrom('a', 'b'),
  });
  const bounds = fc
    .uniqueArray(fc.integer({ min: 0, max: 20 }), { minLength: 1 })
    .map((all) => all.sort((a, b) => a - b));
  await fc.assert(
    fc.asyncProperty(bounds, fc.array(observation), async (buckets, observations) => {
      const options = { name: 'seconds', help: 'As long as it took.' };
      const [theirs, ours] = [new Registry(), new Registry()];
      const expected = new Histogram({ ...options, buckets, labelNames: ['type'], registers: [theirs] });
      const series = createPlainHistogram({ ...options, buckets, registry: ours });
      const observe = { a: series({ type: 'a' }), b: series({ type: 'b' }) };
      for (const type of ['a', 'b']) expected.zero({ type });
      for (const { value, type } of observations) {
        expected.observe({ type }, value);
        observe[type](value);
      }
      expect(await ours.metrics()).toBe(await theirs.metrics());
      expect(sortedBuckets(await ours.getMetricsAsJSON())).toEqual(sortedBuckets(await theirs.getMetricsAsJSON()));
    }),
  );
});

/** Returns the metrics without exemplars, which our histogram does not support. */
function sortedBuckets(metrics: object[]) {
  return JSON.parse(JSON.stringify(metrics, (key, value) => (key === 'exemplar' ? undefined : value)));
}
