// An API with prepared responses in a separate process, so that only the proxy in front of it is
// measured.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { graphql } from 'graphql';
import { createDemoContext } from '../../packages/platform/src/create-demo-schema.js';
import { createDemoSchema } from '../../test/helpers/demo-schema.js';
import { OPERATIONS } from '../http/operations.js';

/** Responses of the typical operation, by the number of countries that it requests. */
const answers = new Map<string, Buffer>();
const schema = createDemoSchema();
const { query, variables } = OPERATIONS.typical;
for (let call = 0; call < 10; call++) {
  const variableValues = variables(call);
  const result = await graphql({ schema, source: query, variableValues, contextValue: createDemoContext() });
  answers.set(String(variableValues['first']), Buffer.from(JSON.stringify(result)));
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => answer(Buffer.concat(chunks).toString(), response));
});

function answer(body: string, response: ServerResponse): void {
  const found = answers.get(/"first":(\d+)/.exec(body)?.[1] ?? '');
  if (!found) return void response.writeHead(400).end();
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': found.length });
  response.end(found);
}

server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
