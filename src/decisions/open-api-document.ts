import { z } from 'zod';
import { TOLLGATE_VERSION } from '../runtime/packages/tollgate-version.js';
import { decideRequest, MAX_BATCH, peekRequest, priceRequest, settleRequest } from './decide-request.js';
import { decisionSchema, failureSchema, peekSchema, priceSchema, settlementSchema } from './decision-schema.js';

const OPERATION = {
  query: 'query ($first: Int!) { items(first: $first) { name } }',
  variables: { first: 10 },
};
const CALLER = { subject: { user: 'ann' } };

const OPERATIONS = [
  {
    path: '/v1/decide',
    id: 'decide',
    summary: 'Prices an operation and charges it, before your server executes it.',
    request: decideRequest,
    example: { ...OPERATION, ...CALLER, settleWithinMs: 30_000 },
    response: decisionSchema,
  },
  {
    path: '/v1/settle',
    id: 'settle',
    summary: 'Corrects the charge of a decision to the actual cost. A receipt settles once.',
    request: settleRequest,
    example: { receipt: 'tgr1.b3R0IHRoZSByZWNlaXB0IG9mIGEgZGVjaXNpb24', actualCost: 7 },
    response: settlementSchema,
  },
  {
    path: '/v1/peek',
    id: 'peek',
    summary: 'Returns the decision that an operation would receive now. Charges nothing.',
    request: peekRequest,
    example: { ...OPERATION, headers: { 'user-agent': 'shop/1.0' }, address: '198.51.100.7' },
    response: peekSchema,
  },
  {
    path: '/v1/price',
    id: 'price',
    summary: 'Returns the estimated cost of an operation. Charges nothing.',
    request: priceRequest,
    example: OPERATION,
    response: priceSchema,
  },
] as const;

/** Returns the OpenAPI 3.1 document of the paths below `/v1`. */
export function openApiDocument() {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Tollgate decisions',
      version: TOLLGATE_VERSION,
      license: { name: 'MIT', identifier: 'MIT' },
      description: 'Budgets for GraphQL operations that another server executes.',
    },
    servers: [{ url: '/', description: 'This platform.' }],
    security: [{ token: [] }],
    paths: Object.fromEntries(OPERATIONS.map((one) => [one.path, { post: operationOf(one) }])),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'An admin token with the role DECIDER or ADMIN.' },
      },
      schemas: { Failure: schemaOf(failureSchema, 'output') },
    },
  };
}

function operationOf({ id, summary, request, example, response }: (typeof OPERATIONS)[number]) {
  const failure = (description: string) => ({
    description,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Failure' } } },
  });
  return {
    operationId: id,
    summary,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: oneOrMany(schemaOf(request, 'input')),
          examples: { one: { value: example }, batch: { value: [example, example] } },
        },
      },
    },
    responses: {
      200: {
        description: 'The result, or the list of results in the order of the request.',
        content: { 'application/json': { schema: oneOrMany(schemaOf(response, 'output')) } },
      },
      400: failure('The request is wrong. The message names every mistake.'),
      401: failure('The token is missing or invalid.'),
      403: failure('The token has another role.'),
      413: failure('The request is too large.'),
      429: failure('The token, or the address that sends invalid tokens, has used up its rate.'),
    },
  };
}

function oneOrMany(schema: object) {
  return { anyOf: [schema, { type: 'array', minItems: 1, maxItems: MAX_BATCH, items: schema }] };
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const {
    $schema: _dialect,
    id: _id,
    ...shape
  } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Record<string, unknown>;
  return shape;
}
