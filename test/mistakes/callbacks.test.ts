import { ApolloServer } from '@apollo/server';
import { buildSchema } from 'graphql';
import { expect, it } from 'vitest';
import { createTollgate } from '../../src/tollgate/create-tollgate.js';
import { PATIENT_MS } from '../helpers/patient.js';
import { until } from '../helpers/until.js';

const throws = () => {
  throw new Error('of the server alone');
};
const rejects = () => Promise.reject(new Error('of the server alone'));

it.each([
  ['onDecision', 'throws', { onDecision: throws }],
  ['onDecision', 'rejects', { onDecision: rejects as never }],
  ['onSettled', 'throws', { onSettled: throws }],
  ['onSettled', 'rejects', { onSettled: rejects as never }],
  ['abortSignal', 'throws', { abortSignal: throws }],
  ['batchPlace', 'throws', { batchPlace: throws }],
  ['batchPlace', 'rejects', { batchPlace: rejects as never }],
])('if the callback %s %s, no operation fails, and the log names the callback', async (name, _, options) => {
  const logged: { err?: Error; text: string }[] = [];
  const error = (what: unknown, text?: string) => void logged.push({ ...(what as object), text: String(text) });
  const schema = buildSchema('type Query { a: Int }');
  const logger = { info() {}, warn() {}, error };
  const tollgate = await createTollgate({ schema, identify: () => ({ user: 'ann' }), logger, ...options });
  const server = new ApolloServer({ schema, plugins: [tollgate.plugin()] });
  for (let i = 0; i < 3; i++) {
    const { body, http } = await server.executeOperation({ query: '{ a }' }, { contextValue: {} });
    expect(http.status ?? 200).toBe(200);
    expect(body).toMatchObject({ singleResult: { data: { a: null }, extensions: { cost: { actualQueryCost: 1 } } } });
    expect(JSON.stringify(body)).not.toContain('of the server alone');
  }
  await until('the failure is logged', async () => logged.length > 0, PATIENT_MS);
  expect(logged).toMatchObject([
    {
      text: `${name} of createTollgate failed: operations continue without it`,
      err: { message: 'of the server alone' },
    },
  ]);
  await server.stop();
  await tollgate.close();
});
