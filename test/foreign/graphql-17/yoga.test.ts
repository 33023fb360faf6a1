import type { RequestListener } from 'node:http';
import { version } from 'graphql';
import { expect, it } from 'vitest';
import type { AdmittedRequest } from '../../../src/any-server/admitted-request.js';
import { useTollgate } from '../../../src/yoga/use-tollgate.js';
import { describeAdapter, type OpenAdapter } from '../../adapters/contract.js';
import { describeDeferredCosts, type OpenHandler } from '../../adapters/deferred-costs.js';
import { describeIncrementalCosts } from '../../adapters/incremental-costs.js';

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
describeIncrementalCosts('GraphQL Yoga on graphql 17', openYoga);

type Single = Parameters<AdmittedRequest['finish']>[0];
type Parts = Exclude<Parameters<AdmittedRequest['parts']>[0], AsyncIterable<object>>;
type Execute = (args: object) => Promise<Single | Parts>;
/** The functions of graphql 17 that execute an operation with deferred parts. */
const { experimentalExecuteIncrementally, legacyExecuteIncrementally } = (await import('graphql')) as unknown as {
  experimentalExecuteIncrementally: Execute;
  legacyExecuteIncrementally: Execute;
};

const openProtect =
  (execute: Execute): OpenHandler =>
  async ({ tollgate, schema }) => ({
    async listener(req, res) {
      let text = '';
      for await (const chunk of req) text += chunk;
      const { query, variables } = JSON.parse(text);
      const contextValue = { req };
      const gone = new AbortController();
      res.on('close', () => gone.abort());
      const { signal } = gone;
      const request = await tollgate.protect({ query, variables, headers: req.headers, contextValue, signal });
      if (!request.admitted) throw new Error('expected an admitted operation');
      const document = request.start(contextValue, null, schema);
      const executed = { schema, document, contextValue, variableValues: variables, hooks: request.hooks() };
      const result = await execute(executed);
      res.writeHead(200, { 'content-type': 'multipart/mixed; boundary=-', ...request.quotaHeaders() });
      // The delimiter follows each part at once, so that the client can read the part.
      res.write('---\r\n');
      const write = (part: object) => res.write(`\r\n${JSON.stringify(part)}\r\n---\r\n`);
      if ('initialResult' in result) for await (const part of request.parts(result)) write(part);
      else write((await request.finish(result)).body);
      res.end('\r\n-----\r\n');
    },
  });

for (const [format, execute] of [
  ['', experimentalExecuteIncrementally],
  [' and the format of 2022', legacyExecuteIncrementally],
] as const) {
  describeDeferredCosts(`tollgate.protect with graphql 17${format}`, openProtect(execute));
  describeIncrementalCosts(`tollgate.protect with graphql 17${format}`, openProtect(execute));
}
