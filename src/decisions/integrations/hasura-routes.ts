import { createHash } from 'node:crypto';
import type { Clock } from '../../runtime/clock.js';
import type { Decisions, NamedCaller } from '../create-decisions.js';
import { SETTLE_WITHIN_MS } from '../decide-request.js';
import { type DecisionRoute, MAX_RESPONSE_BYTES, type RouteRequest } from '../decision-route.js';
import { jsonAnswer } from '../json-answer.js';
import { asObject, asText, callerHeaders } from './caller-headers.js';
import { createAwaitedReceipts } from './create-awaited-receipts.js';

interface HasuraOptions {
  decisions: Decisions;
  maxBodyBytes: number;
  now: Clock;
}

const HASURA_DDN = 'hasura-ddn';

/**
 * Creates the routes for the pre-parse and the pre-response hook of Hasura DDN. The hooks of one
 * request share no id. A response is therefore settled with the oldest receipt of an operation of
 * the same caller with the same document and variables, whose charges are equal.
 */
export function hasuraRoutes({ decisions, maxBodyBytes, now }: HasuraOptions): DecisionRoute[] {
  const awaited = createAwaitedReceipts({ now, forMs: SETTLE_WITHIN_MS });

  async function beforeParse({ request, body, bytes, token }: RouteRequest) {
    const hook = readHook(body, callerHeaders(request.headers));
    if (!hook) return jsonAnswer({ message: 'rawRequest: expected an object with the query' }, 400);
    const { raw, caller, key } = hook;
    const { query, variables, operationName } = raw;
    const asked = { query, variables, operationName, ...caller, settleWithinMs: SETTLE_WITHIN_MS };
    const by = { integration: HASURA_DDN, service: token };
    const { admitted, receipt, data = null, errors, extensions } = await decisions.decide(asked, by, bytes);
    // Status 200 is the response for the client. Hasura passes no headers of a hook on.
    if (!admitted) return jsonAnswer({ data, errors, extensions });
    if (receipt !== undefined) awaited.add(key, receipt);
    return NO_CONTENT;
  }

  async function beforeResponse({ request, body }: RouteRequest) {
    const hook = readHook(body, callerHeaders(request.headers));
    const response = asObject(asObject(body)?.['response']);
    const receipt = hook && awaited.take(hook.key);
    if (receipt === undefined || !response) return NO_CONTENT;
    const errors = Array.isArray(response['errors']) ? response['errors'].filter((one) => asObject(one)) : undefined;
    const given = { data: response['data'], ...(errors && { errors: errors as Record<string, unknown>[] }) };
    await decisions.settle({ receipt, addedCost: 0, hasNotRun: false, ...given });
    return NO_CONTENT;
  }

  return [
    {
      path: `/integrations/${HASURA_DDN}/pre-parse`,
      methods: ['POST'],
      maxBodyBytes,
      handle: beforeParse,
      // Status 200 is the response for the client. For other statuses, the engine fails the request.
      onFailure: ({ status, headers, body }) =>
        status >= 500 ? jsonAnswer({ data: null, ...body }) : jsonAnswer(body, status, headers),
    },
    {
      path: `/integrations/${HASURA_DDN}/pre-response`,
      methods: ['POST'],
      maxBodyBytes: MAX_RESPONSE_BYTES,
      handle: beforeResponse,
      onFailure: ({ status, headers, body }) => (status >= 500 ? NO_CONTENT : jsonAnswer(body, status, headers)),
    },
  ];
}

const NO_CONTENT = { status: 204, headers: [], body: '' };

interface Hook {
  raw: Record<string, unknown>;
  caller: NamedCaller;
  key: string;
}

/** Reads the body of a hook. The user of the session identifies the caller, else the headers do. */
function readHook(body: unknown, headers: NonNullable<NamedCaller['headers']>): Hook | undefined {
  const raw = asObject(asObject(body)?.['rawRequest']);
  if (!raw) return undefined;
  const session = asObject(asObject(body)?.['session']);
  const user = asText(asObject(session?.['variables'])?.['x-hasura-user-id']);
  const caller: NamedCaller = user === undefined ? { headers } : { headers, subject: { user } };
  const { query, variables = null, operationName = null } = raw;
  const identity = user ?? [headers['x-api-key'], headers['authorization'], headers['x-forwarded-for']];
  const key = createHash('sha256')
    .update(JSON.stringify([identity, query, variables, operationName]))
    .digest('base64');
  return { raw, caller, key };
}
