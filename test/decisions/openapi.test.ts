import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Decider, type DeciderWorld, type Json, openWorld } from './decider.js';

let world: DeciderWorld;
let decider: Decider;
beforeAll(async () => {
  world = await openWorld();
  decider = await world.start({ TOLLGATE_SCORE_HEADER: 'X-GraphQL-Score' });
});
afterAll(() => world.end());

describe('the OpenAPI document', () => {
  it('has schemas that a validator accepts, and that describe requests and responses', async () => {
    const document = (await (await fetch(`${decider.url}/v1/openapi.json`)).json()) as Json;
    expect(document.openapi).toBe('3.1.0');
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false });
    const query = { query: 'query ($first: Int!) { items(first: $first) { name } }', variables: { first: 4 } };
    const samples: Record<string, object> = {
      '/v1/decide': { ...query, subject: { user: 'ann' } },
      '/v1/peek': { ...query, headers: { 'x-client': ['a', 'b'] } },
      '/v1/price': query,
    };
    const { receipt } = await decider.decide();
    samples['/v1/settle'] = { receipt, actualCost: 3 };
    expect(Object.keys(document.paths).sort()).toEqual(Object.keys(samples).sort());
    for (const [path, { post }] of Object.entries<Json>(document.paths)) {
      const accepts = ajv.compile(post.requestBody.content['application/json'].schema);
      const describes = ajv.compile(post.responses[200].content['application/json'].schema);
      for (const request of [samples[path], [samples[path]]]) {
        expect(accepts(request), `${path} ${JSON.stringify(accepts.errors)}`).toBe(true);
        const { status, body } = await decider.ask(path, request);
        expect(status).toBe(200);
        expect(describes(body), `${path} ${JSON.stringify(describes.errors)}`).toBe(true);
      }
      expect(accepts({ ...samples[path], unknown: 1 }), path).toBe(false);
    }
  });

  it('adds the header with the score if it is configured', async () => {
    const { headers, receipt } = await decider.decide({ subject: { user: 'scored' } });
    expect(headers['X-GraphQL-Score']).toBe('10');
    expect((await decider.settle({ receipt, actualCost: 2 })).headers['X-GraphQL-Score']).toBe('2');
  });
});
