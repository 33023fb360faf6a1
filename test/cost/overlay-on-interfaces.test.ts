import { readFileSync } from 'node:fs';
import { buildSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { CostOverlay } from '../../src/cost/annotations/cost-overlay.js';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { readPortablePrices } from '../../src/cost/manifest/portable-prices.js';
import { createRandom } from './reference/random.js';

const directives = readFileSync(new URL('../../schema/directives.graphql', import.meta.url), 'utf8');

/** Numbers for `A` and its interfaces `I` and `J`. All annotations of a type contain its number. */
interface Annotations {
  A?: number | undefined;
  I?: number | undefined;
  J?: number | undefined;
}

function schemaOf(annotations: Annotations) {
  const cost = (weight: number | undefined) => (weight === undefined ? '' : `@cost(weight: "${weight}")`);
  const size = (assumedSize: number | undefined) =>
    assumedSize === undefined ? '' : `@listSize(assumedSize: ${assumedSize})`;
  const fields = (weight: number | undefined) =>
    `{ a: Int ${cost(weight)} list: [P] ${size(weight)} arg(x: Int ${cost(weight)}): Int }`;
  return buildSchema(`${directives}
    type Query { me: A }
    interface I ${fields(annotations.I)}
    interface J ${fields(annotations.J)}
    type A implements I & J ${fields(annotations.A)}
    type P { n: Int }`);
}

function prices(annotations: Annotations, overlay: CostOverlay) {
  const schema = schemaOf(annotations);
  const analyzer = createCostAnalyzer(schema, { overlay, minimumCost: 0 });
  const of = (field: string) => analyzer.compile(parse(`{ me { ${field} } }`)).estimate().cost - 1;
  return { weight: of('a'), size: of('list { n }'), argument: of('arg(x: 1)') };
}

describe('overlays on a schema with interfaces', () => {
  it.each([
    [{ 'I.a': 20, '*.a': 18 }, 20],
    [{ 'I.a': 20 }, 20],
    [{ 'A.a': 7, 'I.a': 20 }, 7],
    [{ 'J.a': 5, 'I.a': 20 }, 20],
    [{ 'J.a': 5, '*.a': 18 }, 5],
    [{ '*.a': 18 }, 18],
    [{ 'I.*': 16 }, 16],
    [{ 'I.a*': 16, '*.a': 18 }, 16],
    [{ 'I.a': { maxSize: 9 } }, 2],
  ] as const)('an overlay has precedence over the annotations of the type: %j gives %i', (overlay, weight) => {
    expect(prices({ A: 2, I: 3 }, overlay).weight).toBe(weight);
  });

  it('each value comes from the overlay (type, then interface, then pattern), else from the annotations of the schema', () => {
    const random = createRandom(2);
    const owners = ['A', 'I', 'J', '*', 'A*', 'I*', 'J*'];
    let fromOverlay = 0;
    for (let i = 0; i < 300; i++) {
      const any = (): number | undefined => (random.chance(0.5) ? 1 + random.below(90) : undefined);
      const annotations = { A: any(), I: any(), J: any() };
      const given = new Map(
        owners.flatMap((owner) => (random.chance(0.3) ? [[owner, 100 + random.below(90)]] : [])) as [string, number][],
      );
      const entries = [...given].flatMap(([owner, value]): [string, CostOverlay[string]][] => [
        [`${owner}.a`, value],
        [`${owner}.list`, { assumedSize: value }],
        [`${owner}.arg(x:)`, value],
      ]);
      const overlay = Object.fromEntries(entries);
      const patterns = [...given.keys()].filter((owner) => owner.includes('*'));
      // Among equally long patterns the later one applies. Patterns with a letter are longer than
      // the star alone.
      const pattern = patterns.filter((owner) => owner.length > 1).at(-1) ?? patterns.at(-1);
      const first = ['A', 'I', 'J', ...(pattern === undefined ? [] : [pattern])].find((owner) => given.has(owner));
      if (first !== undefined) fromOverlay++;
      const annotated = annotations.A ?? annotations.I ?? annotations.J;
      const expected = (first === undefined ? undefined : given.get(first)) ?? annotated;
      const context = JSON.stringify({ annotations, overlay });
      expect(prices(annotations, overlay), context).toEqual({
        weight: expected ?? 0,
        size: expected ?? 10,
        argument: expected ?? 0,
      });
      const elsewhere = readPortablePrices(schemaOf(annotations), { overlay }).overlay;
      expect(prices({}, elsewhere).weight, `${context}, on a separate platform`).toBe(expected ?? 0);
    }
    expect(fromOverlay).toBeGreaterThan(150);
  });

  it('a mistake in an interface entry is reported once, at the interface', () => {
    const overlay = { 'I.a': { cost: 'much' }, 'I.list': { slicingArguments: ['first'] } };
    const problems = createCostAnalyzer(schemaOf({}), { overlay }).check();
    expect(problems.filter(({ severity }) => severity === 'error')).toMatchObject([
      { coordinate: 'I.a', overlayKey: 'I.a' },
      { coordinate: 'I.list', overlayKey: 'I.list' },
    ]);
  });
});
