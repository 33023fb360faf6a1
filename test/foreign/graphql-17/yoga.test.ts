import type { RequestListener, ServerResponse } from 'node:http';
import { version } from 'graphql';
import { expect, it } from 'vitest';
import type { AdmittedRequest } from '../../../src/any-server/admitted-request.js';
import { useTollgate } from '../../../src/yoga/use-tollgate.js';
import { describeAdapter, type OpenAdapter } from '../../adapters/contract.js';
import { describeDeferredCosts } from '../../adapters/deferred-costs.js';

it('these tests run on graphql 17', () => {
  expect(version).toMatch(/^17\./);
});

const openYoga = async ({ tollgate, schema }: Parameters<OpenAdapter>[0]) => {
  // The alias resolves to the Yoga of this folder.
  const { createYoga } = (await import(String('graphql-yoga'))) as { createYoga(options: object): RequestListener };
  return { listener: createYoga({ schema, plugins: [useTollgate(tollgate)], logging: false }) };
};

describeAdapter('GraphQL Yoga on graphql 17', openYoga);
describeDeferredCosts('GraphQL Yoga on graphql 17', openYoga);

interface Incremental {
  initialResult: Parameters<AdmittedRequest['finish']>[0];
  subsequentResults: AsyncGenerator<object>;
}
/** The function of graphql 17 that executes an operation with deferred parts. */
const { experimentalExecuteIncrementally } = (await import('graphql')) as unknown as {
  experimentalExecuteIncrementally(args: object): Promise<Incremental>;
};

describeDeferredCosts('tollgate.protect with graphql 17', async ({ tollgate, schema }) => ({
  async listener(req, res) {
    let text = '';
    for await (const chunk of req) text += chunk;
    const { query } = JSON.parse(text);
    const contextValue = { req };
    const gone = new AbortController();
    res.on('close', () => gone.abort());
    const { signal } = gone;
    const request = await tollgate.protect({ query, headers: req.headers, contextValue, signal });
    if (!request.admitted) throw new Error('expected an admitted operation');
    const document = request.start(contextValue, null, schema);
    const { initialResult, subsequentResults } = await experimentalExecuteIncrementally({
      schema,
      document,
      contextValue,
    });
    const parts = sendParts(res, subsequentResults);
    const { headers, body } = await request.finish(initialResult, { whenOver: parts.ended });
    res.writeHead(200, { 'content-type': 'multipart/mixed; boundary=-', ...headers });
    parts.begin(body);
  },
}));

/** Writes the parts of a response. `ended` resolves with the last part, or when the client leaves. */
function sendParts(res: ServerResponse, later: AsyncGenerator<object>) {
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  res.on('close', () => {
    void later.return(undefined).catch(() => {});
    end();
  });
  return {
    ended,
    async begin(first: object) {
      res.write(`---\r\n\r\n${JSON.stringify(first)}\r\n`);
      for await (const part of later) res.write(`---\r\n\r\n${JSON.stringify(part)}\r\n`);
      res.end('-----\r\n');
    },
  };
}
