import { MAX_COST } from '../../model/limit-parameters.js';
import type { Answer } from '../../protection/answer/answer-of.js';
import type { Decisions, NamedCaller } from '../create-decisions.js';
import { SETTLE_WITHIN_MS, type SettleRequest } from '../decide-request.js';
import { type DecisionRoute, MAX_RESPONSE_BYTES, type RouteRequest } from '../decision-route.js';
import { jsonAnswer } from '../json-answer.js';
import { asObject, asText } from './caller-headers.js';

interface ApolloRouterOptions {
  decisions: Decisions;
  /** Claims of a token that the router has verified, by which callers are identified. */
  claims: { user: string; tenant: string | undefined };
}

const APOLLO_ROUTER = 'apollo-router';

const RECEIPT = 'tollgate::receipt';
/** Context entry that is set if the response has further parts. */
const IN_PARTS = 'tollgate::in-parts';
const CLAIMS = ['apollo::authentication::jwt_claims', 'apollo_authentication::JWT::claims'];
const CLIENT_NAME = ['apollo::telemetry::client_name', 'apollo_telemetry::client_name'];
const ACTUAL_COST = ['apollo::demand_control::actual_cost', 'cost.actual'];

/** A message of the coprocessor protocol, version 1, with the members that Tollgate reads. */
interface Message {
  readonly stage: string;
  readonly id: unknown;
  readonly headers: Record<string, unknown> | undefined;
  readonly body: Record<string, unknown> | undefined;
  readonly entries: Record<string, unknown>;
}

/**
 * Creates the route for Apollo Router, as its external coprocessor at the stages SupergraphRequest
 * and SupergraphResponse. Every message that can be read is answered with status 200, because the
 * router fails the client's request for any other status.
 */
export function apolloRouterRoute({ decisions, claims }: ApolloRouterOptions): DecisionRoute {
  async function decide(message: Message, { bytes, token }: RouteRequest) {
    const { body = {}, entries } = message;
    const { query, variables, operationName } = body;
    const caller = callerOf(message);
    const asked = { query, variables, operationName, ...caller, settleWithinMs: SETTLE_WITHIN_MS };
    const decision = await decisions.decide(asked, { integration: APOLLO_ROUTER, service: token }, bytes);
    if (!decision.admitted) {
      const { status, headers, data, errors, extensions } = decision;
      return broken(message, { status, headers, body: errors ? { errors, extensions } : { data, extensions } });
    }
    // `headers` and `body` are left out, because they would replace those of the request.
    return { ...reply(message), context: { entries: { ...entries, [RECEIPT]: decision.receipt } } };
  }

  function callerOf({ headers = {}, entries }: Message): NamedCaller {
    const all: Record<string, string | string[]> = {};
    for (const [name, value] of Object.entries(headers)) {
      const values = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string');
      if (values.length > 0) all[name.toLowerCase()] = values;
    }
    const client = asText(first(entries, CLIENT_NAME));
    if (client !== undefined) all['apollographql-client-name'] = client;
    const verified = asObject(first(entries, CLAIMS));
    const user = verified && asText(verified[claims.user]);
    if (user === undefined) return { headers: all };
    const tenant = claims.tenant === undefined ? undefined : asText(verified?.[claims.tenant]);
    return { headers: all, subject: { user, ...(tenant !== undefined && { tenant }) } };
  }

  async function settle(message: Message) {
    const { body, headers, entries } = message;
    const receipt = asText(entries[RECEIPT]);
    if (receipt === undefined) return reply(message);
    if (body?.['hasNext'] === true) {
      return { ...reply(message), context: { entries: { ...entries, [IN_PARTS]: true } } };
    }
    const {
      settled,
      headers: quota,
      extensions,
    } = await decisions.settle({
      receipt,
      addedCost: 0,
      hasNotRun: false,
      ...costOf(message),
    });
    if (!settled || entries[IN_PARTS] === true) return reply(message);
    // The router replaces each part that the reply contains, so every such part must be complete.
    const shown = headers && { ...headers, ...listed(quota) };
    const hasData = body !== undefined && 'data' in body;
    const added = hasData && { ...body, extensions: { ...asObject(body['extensions']), ...extensions } };
    return { ...reply(message), ...(shown && { headers: shown }), ...(added && { body: added }) };
  }

  async function handle(asked: RouteRequest) {
    const message = readMessage(asked.body);
    if (typeof message === 'string') return jsonAnswer({ errors: [{ message }] }, 400);
    if (message.stage === 'SupergraphRequest') return jsonAnswer(await decide(message, asked));
    if (message.stage === 'SupergraphResponse') return jsonAnswer(await settle(message));
    return jsonAnswer(reply(message));
  }

  return {
    path: `/integrations/${APOLLO_ROUTER}`,
    methods: ['POST'],
    maxBodyBytes: MAX_RESPONSE_BYTES,
    handle,
    onFailure({ status, headers, body }, asked) {
      const message = readMessage(asked.body);
      if (status < 500 || typeof message === 'string') return jsonAnswer(body, status, headers);
      const isDenial = message.stage === 'SupergraphRequest';
      return jsonAnswer(isDenial ? broken(message, { status, headers, body }) : reply(message));
    },
  };
}

function readMessage(body: unknown): Message | string {
  const message = asObject(body);
  const stage = asText(message?.['stage']);
  if (!message || stage === undefined) return 'stage: expected SupergraphRequest or SupergraphResponse';
  if (message['version'] !== 1) return 'version: expected 1, the version of the coprocessor protocol';
  return {
    stage,
    id: message['id'],
    headers: asObject(message['headers']),
    body: asObject(message['body']),
    entries: asObject(asObject(message['context'])?.['entries']) ?? {},
  };
}

/** Returns the reply that changes nothing. */
function reply({ stage, id }: Message) {
  return { version: 1, stage, control: 'continue', ...(id !== undefined && { id }) };
}

function broken(message: Message, { status, headers, body }: Pick<Answer, 'status' | 'headers' | 'body'>) {
  // The headers become all headers of the response.
  const shown = listed({ 'content-type': 'application/json', ...headers });
  return { ...reply(message), control: { break: status }, headers: shown, body };
}

function listed(headers: Readonly<Record<string, string>>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
}

/** Returns the members of a settlement with the cost: that of the router, or the data of the response. */
function costOf({ body, entries }: Message): Pick<SettleRequest, 'actualCost' | 'data' | 'errors'> {
  const counted = first(entries, ACTUAL_COST);
  if (typeof counted === 'number' && counted >= 0) return { actualCost: Math.min(MAX_COST, Math.ceil(counted)) };
  if (entries[IN_PARTS] === true || body === undefined || !('data' in body)) return {};
  const errors = Array.isArray(body['errors']) ? body['errors'].filter((one) => asObject(one)) : undefined;
  return { data: body['data'], ...(errors && { errors: errors as Record<string, unknown>[] }) };
}

function first(entries: Record<string, unknown>, names: readonly string[]): unknown {
  const name = names.find((one) => Object.hasOwn(entries, one));
  return name === undefined ? undefined : entries[name];
}
