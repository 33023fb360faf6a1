import type { IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { createDecisionAccess } from '../../src/decisions/create-decision-access.js';
import { createDecisionHandler } from '../../src/decisions/create-decision-handler.js';
import type { Decisions } from '../../src/decisions/create-decisions.js';
import { extAuthzRoute } from '../../src/decisions/integrations/ext-authz-route.js';
import { requestError } from '../../src/model/errors.js';
import { answerOf } from '../../src/protection/answer/answer-of.js';
import { listen } from '../../src/server/http/listen.js';
import { PATIENT_MS } from '../helpers/patient.js';

/** The access of one token, with a clock and a database that the test controls. */
function access() {
  const state = { nowMs: 0, fails: undefined as 'UNAUTHENTICATED' | 'UNAVAILABLE' | undefined, lookUps: 0 };
  const { check } = createDecisionAccess({
    async authenticate() {
      state.lookUps++;
      if (state.fails) throw requestError(state.fails);
      return { name: 'server', role: 'DECIDER' };
    },
    maxPerSecond: 10,
    lookUpMs: PATIENT_MS,
    clock: () => state.nowMs,
  });
  const headers = { authorization: 'Bearer token' };
  const ask = () => check({ url: '/v1/decide', headers } as unknown as IncomingMessage);
  return { state, ask };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it('looks a token in use up in the background, and rejects it ten seconds after it was revoked at the latest', async () => {
  const { state, ask } = access();
  await ask();
  state.fails = 'UNAUTHENTICATED';
  state.nowMs = 5_000;
  await ask();
  expect(state.lookUps).toBe(1);
  state.nowMs = 9_000;
  await ask();
  await turn();
  await expect(ask()).rejects.toThrow('Invalid credentials');
});

it('does not accept a token that was revoked while it was idle, not even once', async () => {
  const { state, ask } = access();
  await ask();
  state.fails = 'UNAUTHENTICATED';
  state.nowMs = 10_001;
  await expect(ask()).rejects.toThrow('Invalid credentials');
});

it('accepts a known token for an hour while the database is unavailable, with one look-up in five seconds', async () => {
  const { state, ask } = access();
  await ask();
  state.fails = 'UNAVAILABLE';
  state.nowMs = 3_000_000;
  for (let i = 0; i < 100; i++) expect(await ask()).toMatchObject({ name: 'server' });
  expect(state.lookUps).toBe(2);
  state.nowMs = 3_600_001;
  await expect(ask()).rejects.toThrow();
});

it('answers Envoy with status 429 if the token cannot be looked up, because a 5xx status could admit the request', async () => {
  const answered: number[] = [];
  const unavailable = requestError('UNAVAILABLE');
  const handle = createDecisionHandler({
    routes: [extAuthzRoute({ decisions: {} as Decisions, maxBodyBytes: 1000 })],
    access: { check: () => Promise.reject(unavailable), count() {} },
    rejectStranger: async (_request, errors) => answerOf({ errors }, undefined),
    onAnswer: (_path, status) => answered.push(status),
    onError: () => {},
  });
  const server = await listen({
    handler: (request, response) => void handle(request, response),
    host: '127.0.0.1',
    port: 0,
  });
  const response = await fetch(`http://127.0.0.1:${server.port}/integrations/ext-authz/graphql`);
  expect([response.status, response.headers.get('retry-after'), response.headers.get('x-tollgate-receipt')]).toEqual([
    429,
    '1',
    '',
  ]);
  expect(answered).toEqual([429]);
  await server.stop(0);
});
