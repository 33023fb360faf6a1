import { type DocumentNode, parse } from 'graphql';
import { createCostAnalyzer } from '../src/cost/create-cost-analyzer.js';
import { type BenchCase, benchCases } from './cost/cases.js';
import type { Bench, Variant } from './frame/bench.js';
import { heapBytes } from './frame/heap-bytes.js';

const KILOBYTES = 1024;

/**
 * Measures the heap memory per object. It creates 300 objects, or 30 if the document is long.
 */
const variantOf =
  (keep: (each: BenchCase) => (document: DocumentNode) => unknown): Variant =>
  async () =>
    Object.fromEntries(
      benchCases().map((each) => {
        const make = keep(each);
        const count = each.text.length > 5000 ? 30 : 300;
        const documents = Array.from({ length: count }, () => parse(each.text));
        make(parse(each.text));
        const before = heapBytes();
        const kept = documents.map(make);
        const bytes = (heapBytes() - before) / count;
        if (kept.length !== documents.length) throw new Error('unreachable: keeps both alive until here');
        return [each.name, { KB: Math.max(bytes, 1) / KILOBYTES }];
      }),
    );

export const bench: Bench = {
  title: 'memory of a plan, compared with the memory of its document',
  metrics: [{ name: 'KB', better: 'lower' }],
  baselines: ['document'],
  variants: {
    document: variantOf(
      ({ text }) =>
        () =>
          parse(text),
    ),
    plan: variantOf(({ schema }) => {
      const analyzer = createCostAnalyzer(schema);
      return (document) => analyzer.compile(document);
    }),
  },
};
