import { GraphQLError } from 'graphql';
import type { z } from 'zod';
import { readHeaders } from '../any-server/request-headers.js';
import { type DocumentStores, findDocument } from '../documents/find-document.js';
import { clientNameOf } from '../documents/registered-documents.js';
import { type Answer, answerOf } from '../protection/answer/answer-of.js';
import type { createPreview } from '../protection/create-preview.js';
import { type Decisions, denied, type NamedCaller } from './create-decisions.js';
import { unsettled } from './create-settlements.js';
import {
  decideRequest,
  type PriceRequest,
  parseItems,
  peekRequest,
  priceRequest,
  settleRequest,
} from './decide-request.js';
import { decisionHeaders } from './decision-headers.js';
import { type DecisionRoute, MAX_RESPONSE_BYTES } from './decision-route.js';
import { documentParts } from './document-parts.js';
import { jsonAnswer } from './json-answer.js';
import { openApiDocument } from './open-api-document.js';

interface ApiRoutesOptions {
  decisions: Decisions;
  preview(): ReturnType<typeof createPreview>;
  identify(caller: NamedCaller): Promise<Parameters<ReturnType<typeof createPreview>['previewOf']>[0]['as']>;
  documents: DocumentStores;
  maxBodyBytes: number;
}

type PreviewRequest = PriceRequest & Pick<NamedCaller, 'headers'>;

const API = 'api';

/** Creates the routes below `/v1`. */
export function apiRoutes({
  decisions,
  preview,
  identify,
  documents,
  maxBodyBytes,
}: ApiRoutesOptions): DecisionRoute[] {
  // A batch may be as large as several requests.
  const maxBytes = Math.max(maxBodyBytes, 2 ** 20);

  /** Returns the text of a document; empty if the request has neither a text nor an id. */
  async function textOf(request: PreviewRequest): Promise<string> {
    const parts = documentParts(request);
    const found = await findDocument(documents, parts, readHeaders(decisionHeaders(request)));
    if (found instanceof GraphQLError) throw found;
    return String(found.registered?.text ?? found.text ?? parts.query ?? '');
  }

  const sentOf = async (request: PreviewRequest) => ({
    query: await textOf(request),
    variables: (request.variables ?? {}) as Record<string, unknown>,
    operationName: (request.operationName ?? undefined) as string | undefined,
  });

  const document = openApiDocument();

  async function peek(request: NamedCaller & PriceRequest) {
    const headers = decisionHeaders(request);
    const as = await identify({ ...request, headers });
    const { app: client, version: clientVersion } = clientNameOf(readHeaders(headers));
    const seen = await preview().previewOf({ ...(await sentOf(request)), client, clientVersion, as });
    const { verdict, requestedCost, limits, ...rest } = seen;
    return { admitted: verdict === 'ADMITTED' || verdict === 'DELAYED', verdict, cost: requestedCost, ...rest, limits };
  }

  async function price(request: PriceRequest) {
    const { tree: _tree, ...numbers } = preview().explainOf(await sentOf(request));
    return numbers;
  }

  const post = (path: string, handle: DecisionRoute['handle']): DecisionRoute => ({
    path,
    methods: ['POST'],
    maxBodyBytes: maxBytes,
    handle,
  });

  return [
    {
      ...post('/v1/decide', async ({ body, bytes, token }) =>
        each(parseItems(decideRequest, body), (item, count) =>
          decisions.decide(item, { integration: API, service: item.service ?? token }, Math.ceil(bytes / count)),
        ),
      ),
      onFailure: forItems(decideRequest, (answer) => denied(answer, undefined)),
    },
    {
      ...post('/v1/settle', async ({ body }) =>
        each(parseItems(settleRequest, body), (item) => decisions.settle(item)),
      ),
      maxBodyBytes: MAX_RESPONSE_BYTES,
      onFailure: forItems(settleRequest, () => unsettled('UNAVAILABLE', null)),
    },
    post('/v1/peek', async ({ body }) => each(parseItems(peekRequest, body), peek)),
    post('/v1/price', async ({ body }) => each(parseItems(priceRequest, body), price)),
    {
      path: '/v1/openapi.json',
      methods: ['GET'],
      maxBodyBytes: 0,
      isPublic: true,
      handle: async () => jsonAnswer(document),
    },
  ];
}

/** Handles one item, or all items of a batch at the same time, so that they share calls to Redis. */
async function each<Item, Result>(items: Item | Item[], handle: (item: Item, count: number) => Promise<Result>) {
  if (!Array.isArray(items)) return jsonAnswer(await handle(items, 1));
  return jsonAnswer(await Promise.all(items.map((item) => handle(item, items.length))));
}

/** Returns the function that answers each item of a request with `resultOf` if the server has failed. */
function forItems<Item>(
  item: z.ZodType<Item>,
  resultOf: (answer: Answer) => object,
): NonNullable<DecisionRoute['onFailure']> {
  return (answer, { body }) => {
    const { status, headers } = answer;
    if (status < 500) return jsonAnswer(answer.body, status, headers);
    try {
      const items = parseItems(item, body);
      return jsonAnswer(Array.isArray(items) ? items.map(() => resultOf(answer)) : resultOf(answer));
    } catch (error) {
      const mistakes = answerOf({ errors: [error as GraphQLError] }, undefined);
      return jsonAnswer(mistakes.body, mistakes.status, mistakes.headers);
    }
  };
}
