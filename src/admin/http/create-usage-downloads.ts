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

/** Something that is fetched with GET, what is asked for in the query; or with POST, as members of JSON. */
interface Download {
  path: string;
  handler: RequestHandler;
}

export interface UsageDownloadOptions {
  /** Who came through the door of the administration. */
  callerOf(request: IncomingMessage): AdminCaller;
  exportUsage: ExportUsage;
  /** Takes the price of a page of rows, before it is read, from an administrator. @default they are free */
  chargePage?: (name: string) => Promise<FeeOutcome>;
  onError(error: unknown): void;
  /** How many may be read from the database at the same time; more get 429. @default 2 */
  maxAtOnce?: number;
  /** How many may be open, those that wait for their readers too. @default 16 */
  maxOpen?: number;
  /** A reader who takes nothing for so long is cut. @default 15000 */
  stallMs?: number;
}

interface Format {
  type: string;
  head(columns: UsageExport['columns']): string;
  rows(rows: readonly ExportRow[], columns: UsageExport['columns']): string;
  /** The last line: an export without it was cut off. */
  end(rows: number): string;
}

/** CR, LF, and what else readers of texts end a line at. */
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
            // A row is a line: readers that split at line ends would take the rest of the cell for a row of its own.
            .replace(LINE_END, ' ')
            // Half of the world's spreadsheets split at a semicolon: what stands behind one begins a cell there.
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

/** `usage.csv` and `usage.ndjson`: usage as a stream that ends with the number of its rows. */
export function createUsageDownloads(options: UsageDownloadOptions): Download[] {
  const { callerOf, exportUsage, chargePage, onError, maxAtOnce = 2, maxOpen = 16, stallMs = 15_000 } = options;
  const places = createPlaces(maxAtOnce);
  /** The names of those who have one: one each, so that no reader keeps all others out. */
  const running = new Set<string>();

  async function download(format: Format, request: Request, response: Response): Promise<void> {
    const caller = callerOf(request);
    const { name } = caller.actor;
    if (running.has(name)) throw tooMany('one export of a token at a time');
    if (places.areTaken()) throw tooMany(`at most ${maxAtOnce} exports at the same time`);
    if (running.size >= maxOpen) throw tooMany(`at most ${maxOpen} exports, with those whose readers are slow`);
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

/** Goes on reading only while the client does, and as fast as its bucket pays for: an export is slowed, never cut for it. */
async function send(
  response: Response,
  format: Format,
  { columns, pages }: UsageExport,
  { pay, stallMs, places }: { pay: () => Promise<GraphQLError | undefined>; stallMs: number; places: Places },
): Promise<void> {
  let count = 0;
  // Before anything is sent: what fails at once is answered with a status.
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
  /** Does something in one of the places, in turn. */
  hold<Result>(run: () => Promise<Result>): Promise<Result>;
}

/** Held while a page is read, and not while its reader takes it: two slow ones would keep all others out for as long as they like. */
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
        // The place goes to who is next, without being free in between.
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
  return errorOf('THROTTLED', `Expected ${most}: ask again when one has ended`, {
    headers: new Map([['retry-after', '5']]),
  });
}
