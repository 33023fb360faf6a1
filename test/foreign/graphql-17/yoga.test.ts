import type { RequestListener } from 'node:http';
import { version } from 'graphql';
import { expect, it } from 'vitest';
import { useTollgate } from '../../../src/yoga/use-tollgate.js';
import { describeAdapter } from '../../adapters/contract.js';

it('these tests run on graphql 17', () => {
  expect(version).toMatch(/^17\./);
});

describeAdapter('GraphQL Yoga on graphql 17', async ({ tollgate, schema }) => {
  // The alias resolves to the Yoga of this folder.
  const { createYoga } = (await import(String('graphql-yoga'))) as { createYoga(options: object): RequestListener };
  return { listener: createYoga({ schema, plugins: [useTollgate(tollgate)], logging: false }) };
});
