import type { Request } from 'express';
import { HttpError } from '../http/http-error.js';

/** What a request asks for: one operation, or a batch. */
export interface GraphqlRequest {
  query: unknown;
  operationName: unknown;
  variables: unknown;
}

/** Headers that no page of another site can send unasked. */
const PREFLIGHT_HEADERS = ['apollo-require-preflight', 'x-apollo-operation-name', 'graphql-require-preflight'];
const SIMPLE_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

/**
 * The operation of a GET. It reaches the upstream as POST with JSON, which no site can make a browser send: what protects the upstream from
 * forged requests has to be asked here.
 */
export function readGet(request: Request): GraphqlRequest {
  const contentType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const isDeliberate =
    (contentType !== undefined && !SIMPLE_TYPES.includes(contentType)) ||
    PREFLIGHT_HEADERS.some((name) => request.headers[name] !== undefined);
  if (!isDeliberate) {
    throw new HttpError(
      'BAD_REQUEST',
      `a GET needs a header that other sites cannot send: ${PREFLIGHT_HEADERS[0]}: true`,
    );
  }
  const mark = request.url.indexOf('?');
  const parameters = new URLSearchParams(mark < 0 ? '' : request.url.slice(mark));
  const one = (name: string): string | undefined => {
    const all = parameters.getAll(name);
    if (all.length > 1) throw new HttpError('BAD_REQUEST', `${name}: expected it once, got it ${all.length} times`);
    return all[0];
  };
  return { query: one('query'), operationName: one('operationName'), variables: parseVariables(one('variables')) };
}

/** What a body asks for, once it was parsed. */
export function readBody(body: unknown): GraphqlRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new HttpError('BAD_REQUEST', 'expected a JSON object with a query');
  }
  const { query, operationName, variables } = body as Partial<GraphqlRequest>;
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw new HttpError('BAD_REQUEST', 'operationName: expected a text');
  }
  return { query, operationName, variables };
}

function parseVariables(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw new HttpError('BAD_REQUEST', 'variables: expected JSON');
  }
}
