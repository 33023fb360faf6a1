import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { stringify } from 'csv-stringify/sync';
import type { Request, RequestHandler, Response } from 'express';
import { GraphQLError } from 'graphql';
import { sendError } from '../../http/reject-request.js';
import { errorOf } from '../../model/errors.js';
import type { FeeOutcome } from '../../protection/charge-fee.js';
import { withTimeout } from '../../runtime/with-timeout.js';
import type { AdminCaller } from '../context/admin-context.js';
import { toClientError } from '../schema/to-client-error.js';
import { type ExportRow, type ExportUsage, PAGE_SIZE, type UsageExport } from './usage-export.js';

/**
 * A download. A GET request has its parameters in the query string, a POST request in a JSON body.
 */
interface Download {
  path: string;
  handler: RequestHandler;
}

export interface UsageDownloadOptions {
  /** Returns the caller that the authentication found. */
  callerOf(request: IncomingMessage): AdminCaller;
  exportUsage: ExportUsage;
  /**
   * Charges the price of a page of rows to an administrator, before the page is read.
   * @default pages are free
   */
  chargePage?: (name: string) => Promise<FeeOutcome>;
  onError(error: unknown): void;
  /**
   * Maximum number of exports that read from the database at the same time. At this number, new
   * exports get 429, and open exports wait.
   * @default 2
   */
  maxAtOnce?: number;
  /** Maximum number of open exports, including those that wait for their readers. @default 16 */
  maxOpen?: number;
  /** Time without progress after which a reader is disconnected, in milliseconds. @default 15000 */
  stallMs?: number;
}

interface Format {
  type: string;
  head(columns: UsageExport['columns']): string;
  rows(rows: readonly ExportRow[], columns: UsageExport['columns']): string;
  /** Returns the last line. An export without this line was cut off. */
  end(rows: number): string;
}

/** CR, LF, and all other characters at which readers of text end a line. */
const LINE_END = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/g;

const CSV: Format = {
  type: 'text/csv; charset=utf-8',
  head: (columns) => stringify([[...columns]]),
  rows: (rows, columns) =>
    stringify([...rows], {
      columns: [...columns],
      escape_formulas: true,
      cast: {
        string: (text) =>
          text
            // Each row is one line. Programs that split the text at line ends would read the rest
            // of the cell as another row.
            .replace(LINE_END, ' ')
            // In many locales, spreadsheets split cells at semicolons. The text after a semicolon
            // then starts a cell and could be a formula.
            .replace(/(?<=[;\t])(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g, "'"),
      },
    }),
  end: (rows) => `# end, ${rows} rows\n`,
};

const NDJSON: Format = {
  type: 'application/x-ndjson; charset=utf-8',
  head: () => '',
  rows: (rows, columns) => rows.map((row) => `${JSON.stringify(row, [...columns])}\n`).join(''),
  end: (rows) => `${JSON.stringify({ end: true, rows })}\n`,
};

/**
 * Creates the handlers of `usage.csv` and `usage.ndjson`: usage as a stream that ends with the
 * number of its rows.
 */
export function createUsageDownloads(options: UsageDownloadOptions): Download[] {
  const { callerOf, exportUsage, chargePage, onError, maxAtOnce = 2, maxOpen = 16, stallMs = 15_000 } = options;
  const places = createPlaces(maxAtOnce);
  /**
   * Names of callers with a running export. Each caller may run only one, so that no caller blocks
   * all others.
   */
  const running = new Set<string>();

  async function download(format: Format, request: Request, response: Response): Promise<void> {
    const caller = callerOf(request);
    const { name } = caller.actor;
    if (running.has(name)) throw tooMany('at most one export per token at the same time');
    if (places.areTaken()) throw tooMany(`at most ${maxAtOnce} exports that read from the database at the same time`);
    if (running.size >= maxOpen) throw tooMany(`at most ${maxOpen} exports, including those with slow readers`);
    running.add(name);
    try {
      const asked: unknown = request.method === 'POST' ? request.body : request.query;
      const found = await exportUsage(caller, { ...(asked as object) });
      const pay = async () => (await chargePage?.(name))?.denial;
      await send(response, format, found, { pay, stallMs, places });
    } finally {
      running.delete(name);
    }
  }

  const handlerOf =
    (format: Format): RequestHandler =>
    async (request, response) => {
      try {
        await download(format, request, response);
      } catch (error) {
        const clientError = toClientError(error);
        if (clientError.originalError) onError(clientError.originalError);
        if (response.headersSent) response.destroy();
        else await sendError(response, clientError);
      }
    };

  return [
    { path: '/usage.csv', handler: handlerOf(CSV) },
    { path: '/usage.ndjson', handler: handlerOf(NDJSON) },
  ];
}

/**
 * Reads pages while the client is connected, at the rate that its bucket allows. If the bucket has
 * too few tokens, the export waits and is not aborted.
 */
async function send(
  response: Response,
  format: Format,
  { columns, pages }: UsageExport,
  { pay, stallMs, places }: { pay: () => Promise<GraphQLError | undefined>; stallMs: number; places: Places },
): Promise<void> {
  let count = 0;
  // Before the first byte is sent, an error can still set the status of the response.
  const denial = await pay();
  if (denial) throw denial;
  const iterator = pages();
  const next = () => places.hold(() => iterator.next());
  let page = await next();
  response.setHeader('content-type', format.type);
  response.setHeader('cache-control', 'no-store');
  response.setHeader('content-disposition', 'attachment');
  const gone = new Promise((resolve) => response.once('close', resolve));
  const write = async (text: string) => {
    if (text === '' || response.write(text)) return;
    const drained = new Promise((resolve) => response.once('drain', resolve));
    await withTimeout(Promise.race([drained, gone]), stallMs, () => response.destroy());
  };
  await write(format.head(columns));
  while (!page.done && !response.closed) {
    count += page.value.length;
    await write(format.rows(page.value, columns));
    if (page.value.length === PAGE_SIZE) {
      for (let wait = await pay(); wait !== undefined && !response.closed; wait = await pay()) {
        await Promise.race([sleep(waitMsOf(wait)), gone]);
      }
    }
    page = await next();
  }
  response.end(format.end(count));
}

interface Places {
  areTaken(): boolean;
  /** Runs a function in one of the slots. Waiting functions run in order. */
  hold<Result>(run: () => Promise<Result>): Promise<Result>;
}

/**
 * Creates slots. An export occupies a slot while it reads a page from the database, but not while
 * the client receives the page. Otherwise, two slow clients could block all others indefinitely.
 */
function createPlaces(most: number): Places {
  let taken = 0;
  const line: (() => void)[] = [];
  return {
    areTaken: () => taken >= most,
    async hold(run) {
      if (taken >= most) await new Promise<void>((resolve) => line.push(resolve));
      else taken++;
      try {
        return await run();
      } finally {
        // The slot passes directly to the next waiting function, so that no other function can use
        // it in between.
        const next = line.shift();
        if (next) next();
        else taken--;
      }
    },
  };
}

function waitMsOf({ extensions }: GraphQLError): number {
  const waitMs = extensions['retryAfterMs'];
  return typeof waitMs === 'number' ? waitMs : 1000;
}

function tooMany(most: string): GraphQLError {
  return errorOf('THROTTLED', `Expected ${most}: try again when one has ended`, {
    headers: new Map([['retry-after', '5']]),
  });
}
