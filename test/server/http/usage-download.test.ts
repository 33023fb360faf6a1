import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { buildSchema } from 'graphql';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createAdminAuthenticator } from '../../../src/admin/context/create-admin-authenticator.js';
import { createAdminGuard } from '../../../src/admin/http/create-admin-guard.js';
import { createUsageDownloads, type UsageDownloadOptions } from '../../../src/admin/http/create-usage-downloads.js';
import { createUsageExporter } from '../../../src/admin/http/usage-export.js';
import { answerRejected } from '../../../src/any-server/answer-rejected.js';
import { migrate } from '../../../src/postgres/migrate.js';
import { createRulesStore, type RulesStore } from '../../../src/rules/store/rules-store.js';
import { createTollgate, type Tollgate } from '../../../src/tollgate/create-tollgate.js';
import { createUsageReader, type UsageReader } from '../../../src/usage/query/usage-reader.js';
import { until } from '../../helpers/until.js';
import { DATABASES, type TestDatabase } from '../../postgres/databases.js';
import { storeUsage, type UsedOperation, usedOperations } from '../../usage/stored-usage.js';

const RANGE = 'from=2026-03-01T00:00:00Z&to=2026-03-03T00:00:00Z';
const TOKEN = 'a-token-for-exports';
const VIEWER = { authorization: `Bearer ${TOKEN}` };

describe.each(DATABASES)('the usage export on $database', ({ openDatabase }) => {
  let opened: TestDatabase;
  let store: RulesStore;
  let usage: UsageReader;
  let tollgate: Tollgate;
  let operations: UsedOperation[];
  const servers: Server[] = [];
  beforeAll(async () => {
    opened = await openDatabase();
    await migrate(opened.db);
    operations = usedOperations(500, { from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-03-03T00:00:00Z') });
    await opened.db.tx((tx) => storeUsage(tx, operations));
    store = createRulesStore(opened.db);
    usage = createUsageReader(opened.db);
    tollgate = await createTollgate({
      schema: buildSchema('type Query { a: Int }'),
      identify: () => ({ ip: '192.0.2.1' }),
      // The bucket covers three pages of 1,000 tokens each, and refills the cost of one page in 100
      // ms.
      tiers: [{ name: 'default', capacity: 3000, refillAmount: 1000, refillPeriodMs: 100, isDefault: true }],
      logger: { info() {}, warn() {}, error() {} },
    });
  });
  afterEach(() => {
    for (const server of servers.splice(0)) server.close().closeAllConnections();
  });
  afterAll(async () => {
    await tollgate.close();
    await opened.dispose();
  });

  async function serve(reader: UsageReader = usage, more: Partial<UsageDownloadOptions> = {}): Promise<string> {
    const app = express();
    const authenticate = createAdminAuthenticator({ token: TOKEN, store });
    const guard = createAdminGuard({
      authenticate: ({ headers }) => authenticate(headers.authorization),
      rejectStranger: (_request, errors) => answerRejected(tollgate.protect, { rejection: errors, contextValue: {} }),
    });
    app.use('/admin', guard.handler);
    const downloads = createUsageDownloads({
      callerOf: guard.callerOf,
      exportUsage: createUsageExporter({ store, usage: reader }),
      onError: () => {},
      ...more,
    });
    for (const { path, handler } of downloads) app.get(`/admin${path}`, handler);
    const server = createServer(app);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/admin/usage`;
  }

  it('the export contains every group of every time bucket and ends with the number of rows', async () => {
    const url = await serve();
    const answer = await fetch(`${url}.ndjson?${RANGE}&bucket=HOUR&groupBy=CALLER,OPERATION`, { headers: VIEWER });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const lines = (await answer.text()).trimEnd().split('\n');
    const rows = lines.map((line) => JSON.parse(line));
    expect(rows.pop()).toEqual({ end: true, rows: rows.length });
    expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(operations.length);
    const admitted = operations.filter(({ denied }) => !denied);
    expect(rows.reduce((sum, { actualCost }) => sum + actualCost, 0)).toBe(
      admitted.reduce((sum, { actual }) => sum + actual, 0),
    );
    expect(Object.keys(rows[0])).toEqual([
      ...['from', 'to', 'tenant', 'callerKind', 'caller', 'operationType', 'operation'],
      ...['requests', 'denied', 'shadowDenied', 'degraded', 'estimatedCost', 'actualCost', 'deniedCost'],
    ]);
  });

  it('the CSV export contains no cell that is a formula [A22]', async () => {
    const url = await serve();
    const answer = await fetch(`${url}.csv?${RANGE}&bucket=DAY&groupBy=CALLER`, { headers: VIEWER });
    expect(answer.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const lines = (await answer.text()).trimEnd().split('\n');
    expect(lines[0]).toMatch(/^from,to,tenant,callerKind,caller,requests,/);
    expect(lines.at(-1)).toBe(`# end, ${lines.length - 2} rows`);
    const cells = lines.slice(1, -1).flatMap((line) => line.split(','));
    expect(cells).toContain("'=cmd");
    // A spreadsheet with the semicolon as list separator splits the cell here.
    expect(cells).toContain("a;'=cmd");
    expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
  });

  it('the CSV export writes each row on one line, whatever the names of callers', async () => {
    const names = ['a\rb', 'a\nb', 'a\r\nb', 'a\u2028b', 'a\u0085b', 'a\vb', 'a\n=cmd'];
    const reader: UsageReader = {
      ...usage,
      async usage(request) {
        const rows = (await usage.usage(request)).slice(0, names.length);
        return rows.map((row, index) => ({ ...row, subject: { ...row.subject!, user: names[index]! } }));
      },
    };
    const answer = await fetch(`${await serve(reader)}.csv?${RANGE}&bucket=DAY&groupBy=CALLER`, { headers: VIEWER });
    const text = await answer.text();
    const rows = Number(/# end, (\d+) rows/.exec(text)?.[1]);
    expect(rows).toBeGreaterThan(2);
    const lines = text.trimEnd().split(/[\r\n\v\f\u0085\u2028\u2029]/);
    expect(lines).toHaveLength(rows + 2);
  });

  it.each([
    ['no token', '', {}, 401],
    ['a wrong token', '', { authorization: 'Bearer wrong' }, 401],
    ['an invalid range', 'from=yesterday', VIEWER, 400],
    ['an unknown group', 'groupBy=USER', VIEWER, 400],
    ['an unknown parameter', 'limit=1', VIEWER, 400],
    ['too many minutes', `${RANGE}&bucket=MINUTE`, VIEWER, 400],
  ])('an export request with %s gets an error status and the reason', async (_, query, headers: Record<
    string,
    string
  >, status) => {
    const answer = await fetch(`${await serve()}.csv?${query}`, { headers });
    expect(answer.status).toBe(status);
    expect((await answer.json()) as object).toMatchObject({ errors: [{ message: expect.any(String) }] });
  });

  it('if the database fails during an export, the response ends without the last line', async () => {
    let pages = 0;
    const failing = createPagedReader(async () => {
      if (++pages > 2) throw new Error('the database is gone');
    });
    const answer = await fetch(`${await serve(failing)}.ndjson?${RANGE}&groupBy=CALLER`, { headers: VIEWER });
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow();
  });

  it('an export charges the administrator for each page before it reads the page, and waits for the refill', async () => {
    let pages = 0;
    const reader = createPagedReader(async () => {
      if (++pages > 5) throw new Error('enough');
    });
    const paidAt: number[] = [];
    const chargePage = async (name: string) => {
      expect(pages).toBe(paidAt.length);
      const fee = await tollgate.chargeFee({ user: name }, 1000);
      if (!fee.denial) paidAt.push(performance.now());
      return fee;
    };
    const url = `${await serve(reader, { chargePage })}.ndjson?${RANGE}&groupBy=CALLER`;
    const startedMs = performance.now();
    await expect(fetch(url, { headers: VIEWER }).then((answer) => answer.text())).rejects.toThrow();
    expect(paidAt).toHaveLength(6);
    // The full bucket covered three pages. The refill covered the other three.
    expect(paidAt.at(-1)! - startedMs).toBeGreaterThanOrEqual(200);
  });

  it('an export whose first page cannot be charged is denied with the time to wait', async () => {
    let pages = 0;
    const reader = createPagedReader(async () => {
      pages++;
    });
    // The bucket is emptied in the same turn of the event loop, because it refills within 300 ms.
    const chargePage = async () => {
      await tollgate.chargeFee({ user: 'spent' }, 3000);
      return tollgate.chargeFee({ user: 'spent' }, 3000);
    };
    const answer = await fetch(`${await serve(reader, { chargePage })}.csv?${RANGE}`, { headers: VIEWER });
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await answer.json()) as object).toMatchObject({ errors: [{ extensions: { code: 'THROTTLED' } }] });
    expect(pages).toBe(0);
  });

  it('an export stops reading pages while its client reads nothing, and each token may run one export at a time', async () => {
    let pages = 0;
    const endless = createPagedReader(async () => {
      pages++;
    });
    const url = `${await serve(endless)}.ndjson?${RANGE}&groupBy=CALLER`;
    const open = () =>
      new Promise<IncomingMessage>((resolve) =>
        get(url, { headers: VIEWER, agent: false }, (answer) => resolve(answer.pause())),
      );
    const answers = [await open()];
    expect((await fetch(url, { headers: VIEWER })).status).toBe(429);
    // Pages are read until the buffers of the sockets are full. Then reading stops until the client
    // reads more.
    let before = -1;
    let unchanged = 0;
    await until('no more pages are read', () => {
      unchanged = pages === before ? unchanged + 1 : 0;
      before = pages;
      return unchanged > 50;
    });
    expect(pages).toBeLessThan(500);
    for (const answer of answers) answer.destroy();
    await until('the token can run another export', async () => {
      const answer = await open();
      answer.destroy();
      return answer.statusCode === 200;
    });
  });

  it('two slow clients do not prevent a third export, and a fourth export is denied', async () => {
    const readers = ['slow-1', 'slow-2', 'third'];
    const tokens: string[] = [];
    for (const name of readers) {
      const made = await store.createAdminToken({ name, role: 'VIEWER' }, { name: 'test', authMethod: 'SYSTEM' });
      if (!made.ok) throw new Error('no token was made');
      tokens.push(made.value.secret!);
    }
    const endless = createPagedReader(async () => {});
    const url = `${await serve(endless, { maxOpen: 3 })}.ndjson?${RANGE}&groupBy=CALLER`;
    const open = (token: string) =>
      new Promise<IncomingMessage>((resolve) =>
        get(url, { headers: { authorization: `Bearer ${token}` }, agent: false }, (answer) => resolve(answer.pause())),
      );
    const slow = [await open(tokens[0]!), await open(tokens[1]!)];
    expect(slow.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    let third: IncomingMessage | undefined;
    await until('the third export is served', async () => {
      third = await open(tokens[2]!);
      return third.statusCode === 200;
    });
    // Each export keeps a page in memory, so the number of exports is bounded.
    expect((await fetch(url, { headers: VIEWER })).status).toBe(429);
    for (const answer of [...slow, third!]) answer.destroy();
  });

  it('an export whose client stops reading is ended, so that another export can run', async () => {
    const endless = createPagedReader(async () => {});
    const url = `${await serve(endless, { stallMs: 300, maxAtOnce: 1 })}.ndjson?${RANGE}&groupBy=CALLER`;
    const answer = await new Promise<IncomingMessage>((resolve) =>
      get(url, { headers: VIEWER, agent: false }, (found) => resolve(found.pause())),
    );
    expect(answer.statusCode).toBe(200);
    await until('another export is served', async () => {
      const another = await fetch(url, { headers: VIEWER });
      await another.body?.cancel();
      return another.status === 200;
    });
    answer.destroy();
  });

  /**
   * Returns a usage reader with an endless sequence of pages of a thousand rows. It calls `onPage`
   * before each page.
   */
  function createPagedReader(onPage: () => Promise<void>): UsageReader {
    const page = usage.usage({
      range: { from: new Date('2026-03-01T00:00:00Z'), to: new Date('2026-03-03T00:00:00Z') },
      level: 'hour',
      groupBy: ['CALLER', 'OPERATION', 'TIER'],
      filter: {},
      after: undefined,
      limit: 100,
    });
    return {
      ...usage,
      async usage() {
        await onPage();
        return Array.from({ length: 10 }, () => page).reduce(
          async (all, part) => [...(await all), ...(await part)],
          Promise.resolve([]) as typeof page,
        );
      },
    };
  }
});
