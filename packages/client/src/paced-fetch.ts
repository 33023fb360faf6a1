import type { BudgetReport, GraphqlAnswer, HttpAnswer, ReadBudget } from './budget-report.js';
import { checkAdapterOptions, kindOf, pacerOptionsOf } from './check-options.js';
import { createPacer, type Pacer, type PacerOptions, type PriceOf } from './pacer.js';
import { readSafely } from './read-safely.js';
import { readTollgate, recordOf, textOf } from './read-tollgate.js';

export interface PacedFetchOptions extends PacerOptions {
  /**
   * Pacer to share with other users of the same budget.
   * @default a new pacer with the other options
   */
  pacer?: Pacer;
  /** Reads the budget from responses. @default `readTollgate` */
  read?: ReadBudget;
  /**
   * Price of an operation before it is sent: `createManifestPrices(manifest)`.
   * @default learned from responses
   */
  priceOf?: PriceOf;
  /**
   * Returns the priority of an operation. Operations with a higher priority are sent first.
   * @default 0 for all
   */
  priorityOf?: (operation: { query: string; operationName?: string | undefined }) => number;
}

export interface PacedFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
  readonly pacer: Pacer;
}

interface Body {
  query?: unknown;
  operationName?: unknown;
  variables?: unknown;
  extensions?: unknown;
}

/**
 * Returns a `fetch` that paces GraphQL requests, for graphql-request, Relay, or direct use. It
 * sends other requests unchanged. It sends a denied operation again when the budget suffices. It
 * never repeats a request whose connection failed.
 */
export function createPacedFetch(
  send: (input: string | URL | Request, init?: RequestInit) => Promise<Response> = (input, init) => fetch(input, init),
  options: PacedFetchOptions = {},
): PacedFetch {
  if (typeof send !== 'function') {
    throw new TypeError(
      `createPacedFetch: expected a fetch, got ${kindOf(send)}; options are the second argument: createPacedFetch(fetch, {})`,
    );
  }
  checkAdapterOptions('createPacedFetch', options);
  const { pacer = createPacer(pacerOptionsOf(options)), read = readTollgate, priceOf, priorityOf = () => 0 } = options;

  async function pacedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
    const bodies = await readBodies(input, init);
    if (bodies === undefined) return send(input, init);
    const [first] = bodies;
    const query = String(first!.query ?? '');
    const operationName = typeof first!.operationName === 'string' ? first!.operationName : undefined;
    const isAlone = bodies.length === 1;
    const variables = isAlone ? first!.variables : bodies.map((each) => each.variables);
    const operation = {
      key: bodies.map(keyOf).join('\n'),
      variables,
      priority: priorityOf({ query, operationName }),
      price: isAlone ? priceOf?.({ document: query, operationName, variables }) : undefined,
      signal: init?.signal ?? (input instanceof Request ? input.signal : undefined),
    };
    return pacer.run(operation, async () => {
      // The body of a request can be read only once, and the request may have to be sent again.
      const response = await send(input instanceof Request ? input.clone() : input, init);
      const http = { status: response.status, header: (name: string) => response.headers.get(name) };
      return { result: response, report: reportOf(await readAnswers(response), http) };
    });
  }

  /**
   * Reads the budget. A batch counts as denied only if each of its operations was denied. Otherwise
   * some of its operations have run, so the batch must not be sent again.
   */
  function reportOf(answers: GraphqlAnswer[], http: HttpAnswer): BudgetReport {
    if (answers.length < 2) return readSafely(read, answers[0], http);
    const reports = answers.map((answer) => readSafely(read, answer, http));
    const { bucket } = reports.at(-1)!;
    const costs = reports.flatMap(({ requestedCost }) => requestedCost ?? []);
    const denials = reports.flatMap(({ denial }) => denial ?? []);
    const requestedCost = costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost);
    if (denials.length < reports.length) return { requestedCost, bucket };
    const latest = denials.reduce((a, b) => ((b.retryAfterMs ?? 0) > (a.retryAfterMs ?? 0) ? b : a));
    // If a limit of another kind also denies a part of the batch, the batch is not admitted earlier
    // when another operation ends.
    const isConcurrency = denials.every((denial) => denial.isConcurrency);
    return { requestedCost, bucket, denial: { ...latest, isConcurrency } };
  }

  return Object.assign(pacedFetch, { pacer });
}

/**
 * Returns the operations of a request. Undefined if it is not a GraphQL request, or if its body
 * cannot be read.
 */
async function readBodies(input: string | URL | Request, init: RequestInit | undefined): Promise<Body[] | undefined> {
  const request = input instanceof Request ? input : undefined;
  const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
  if (method === 'GET') {
    // A relative URL needs a base. Only its parameters are read.
    const { searchParams } = new URL(request?.url ?? String(input), 'http://a');
    const query = searchParams.get('query');
    const extensions = searchParams.get('extensions');
    if (query === null && extensions === null) return undefined;
    return [
      {
        query: query ?? undefined,
        operationName: searchParams.get('operationName') ?? undefined,
        variables: parseJson(searchParams.get('variables')),
        extensions: parseJson(extensions),
      },
    ];
  }
  const text = typeof init?.body === 'string' ? init.body : init?.body ? undefined : await request?.clone().text();
  const bodies = recordsIn(text).filter(isBody);
  return bodies.length === 0 ? undefined : bodies;
}

function isBody(value: object): value is Body {
  return 'query' in value || 'extensions' in value || 'documentId' in value;
}

/** Returns a key for the document, or for its hash in a persisted query. */
function keyOf({ query, operationName, extensions }: Body): string {
  const document = typeof query === 'string' ? query : (JSON.stringify(extensions) ?? '');
  return `${textOf(operationName)}\n${document}`;
}

/**
 * Reads the GraphQL response, or all GraphQL responses of a batch. The body of `response` can still
 * be read afterwards.
 */
async function readAnswers(response: Response): Promise<GraphqlAnswer[]> {
  if (!/\bjson\b/.test(response.headers.get('content-type') ?? '')) return [];
  return recordsIn(
    await response
      .clone()
      .text()
      .catch(() => undefined),
  );
}

/** Returns the objects of a JSON text: the text's only object, or the elements of its list. */
function recordsIn(text: string | undefined): Record<string, unknown>[] {
  return [parseJson(text)].flat().filter(recordOf) as Record<string, unknown>[];
}

function parseJson(text: string | null | undefined): unknown {
  if (text === null || text === undefined) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
