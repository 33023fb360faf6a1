import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Decider, type DeciderWorld, type Json, openWorld } from './decider.js';

let world: DeciderWorld;
let decider: Decider;
beforeAll(async () => {
  world = await openWorld();
  decider = await world.start();
});
afterAll(() => world.end());

const readDocument = async () => (await (await fetch(`${decider.url}/v1/openapi.json`)).json()) as Json;

describe('the OpenAPI document', () => {
  it('is valid by the specification of OpenAPI 3.1, as a public validator finds', async () => {
    const validator = new Validator();
    expect(await validator.validate(await readDocument())).toMatchObject({ valid: true });
    expect(validator.version).toBe('3.1');
    const { paths: _paths, ...broken } = await readDocument();
    expect(await validator.validate({ ...broken, paths: { 'v1/decide': 1 } })).toMatchObject({ valid: false });
  });

  it('has examples that fit its schemas, and that get the described responses', async () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictTuples: false });
    let sent = 0;
    for (const [path, { post }] of Object.entries<Json>((await readDocument()).paths)) {
      const { schema, examples } = post.requestBody.content['application/json'];
      const accepts = ajv.compile(schema);
      const describes = ajv.compile(post.responses[200].content['application/json'].schema);
      for (const { value } of Object.values<Json>(examples)) {
        expect(accepts(value), `${path} ${JSON.stringify(accepts.errors)}`).toBe(true);
        const { status, body } = await decider.ask(path, value);
        expect(status, JSON.stringify(body)).toBe(200);
        expect(describes(body), `${path} ${JSON.stringify(describes.errors)}`).toBe(true);
        expect(Array.isArray(body)).toBe(Array.isArray(value));
        sent++;
      }
    }
    expect(sent).toBe(8);
  });

  it('has schemas that a validator accepts, and that describe requests and responses', async () => {
    const document = await readDocument();
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
});

describe('messages about misspelt names', () => {
  it('suggests the members of requests and of callers, all at once', async () => {
    const request = { querry: '{ item { name } }', subject: { user: 'ann', tennant: 'shop' }, settleWithin: 1000 };
    const { status, body } = await decider.ask('/v1/decide', [request]);
    expect(status).toBe(400);
    expect(body.errors[0].message).toBe(
      'Bad request: [0].subject: Unrecognized key: "tennant"; did you mean tenant?; ' +
        '[0]: Unrecognized key: "querry"; did you mean query?, Unrecognized key: "settleWithin"; did you mean settleWithinMs?',
    );
    const settled = await decider.ask('/v1/settle', { reciept: 'tgr1.x', actualcost: 1 });
    expect(settled.body.errors[0].message).toMatch(
      /"reciept"; did you mean receipt\?.*"actualcost"; did you mean actualCost\?/,
    );
  });

  it('suggests the path', async () => {
    const { status, body } = await decider.ask('/v1/decid', {});
    expect(status).toBe(400);
    expect(body.errors[0].message).toMatch(/did you mean \/v1\/decide\?$/);
  });
});
