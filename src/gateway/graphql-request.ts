import type { Request } from 'express';
import { idInPath } from '../http/id-in-path.js';
import { requestError } from '../model/errors.js';
import { isObject } from '../runtime/is-object.js';
import { findForwardable } from './keep-inexact-body.js';
import type { ExactNumbers } from './upstream/exact-numbers.js';

/** One operation of a request. */
export interface GraphqlRequest {
  query: unknown;
  /** Id of a registered document, instead of `query`. */
  documentId?: unknown;
  operationName: string | null | undefined;
  variables: unknown;
  /** JSON text of the variables. Set only if `JSON.stringify` would change their numbers. */
  exactVariables?: string | undefined;
  extensions?: unknown;
}

/** A body, or a member of a batch, whose inexact numbers are replaced by strings. */
interface ExactBody extends Pick<ExactNumbers, 'restore'> {
  body: unknown;
}

/** Headers that a page of another site cannot send without a preflight request. */
const PREFLIGHT_HEADERS = ['apollo-require-preflight', 'x-apollo-operation-name', 'graphql-require-preflight'];
const SIMPLE_TYPES = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];

/**
 * Reads the operation of a GET. The gateway forwards it as a POST with JSON, so the upstream cannot
 * detect cross-site request forgery. The gateway must therefore check for it here.
 */
export function readGet(request: Request): GraphqlRequest {
  const contentType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const isDeliberate =
    (contentType !== undefined && !SIMPLE_TYPES.includes(contentType)) ||
    PREFLIGHT_HEADERS.some((name) => request.headers[name] !== undefined);
  if (!isDeliberate) {
    throw requestError(
      'BAD_REQUEST',
      `a GET request needs a header that other sites cannot send, such as ${PREFLIGHT_HEADERS[0]}: true`,
    );
  }
  const mark = request.url.indexOf('?');
  const parameters = new URLSearchParams(mark < 0 ? '' : request.url.slice(mark));
  const one = (name: string): string | undefined => {
    const all = parameters.getAll(name);
    if (all.length > 1) throw requestError('BAD_REQUEST', `${name}: expected once, got it ${all.length} times`);
    return all[0];
  };
  const query = one('query');
  const extensions = parseJson('extensions', one('extensions'));
  checkExtensions(extensions);
  const text = one('variables');
  const variables = parseJson('variables', text);
  checkDepth(variables);
  const exact = text === undefined ? undefined : findForwardable(text);
  const exactVariables = exact?.restore(JSON.stringify(JSON.parse(exact.text)));
  const documentId = one('documentId') ?? one('doc_id') ?? idInPath(request, query);
  return { query, documentId, extensions, operationName: one('operationName'), variables, exactVariables };
}

/** Reads the operation of a parsed body. */
export function readBody(body: unknown, exact?: ExactBody, request?: Request): GraphqlRequest {
  if (!isObject(body)) {
    throw requestError('BAD_REQUEST', 'expected a JSON object with a query');
  }
  const { query, operationName, variables, extensions } = body;
  const documentId = body['documentId'] ?? body['doc_id'] ?? (request && idInPath(request, query));
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw requestError('BAD_REQUEST', 'operationName: expected a string');
  }
  checkExtensions(extensions);
  checkDepth(variables);
  return { query, documentId, extensions, operationName, variables, exactVariables: writeExactly(exact) };
}

function writeExactly(exact: ExactBody | undefined): string | undefined {
  const variables = isObject(exact?.body) ? exact.body['variables'] : undefined;
  return variables === undefined ? undefined : exact!.restore(JSON.stringify(variables));
}

/**
 * Maximum nesting of JSON of a client. Deeper JSON would overflow the stack of a recursive
 * serializer, here or at the API.
 */
const MAX_LEVELS = 200;

function checkDepth(variables: unknown): void {
  const mistake = depthMistake('variables', variables);
  if (mistake !== undefined) throw requestError('BAD_REQUEST', mistake);
}

/** Returns an error message if the value is nested too deeply to be serialized again. */
export function depthMistake(name: string, value: unknown): string | undefined {
  if (!isDeeper(value, MAX_LEVELS)) return undefined;
  return `${name}: expected at most ${MAX_LEVELS} levels of lists and objects`;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const key in value) if (isDeeper((value as Record<string, unknown>)[key], levels - 1)) return true;
  return false;
}

/**
 * Checks the extensions of a request. The gateway does not forward them, because work that they
 * request has no price.
 */
function checkExtensions(extensions: unknown): void {
  if (extensions === undefined || extensions === null) return;
  if (!isObject(extensions)) throw requestError('BAD_REQUEST', 'extensions: expected an object');
}

function parseJson(name: string, text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    throw requestError('BAD_REQUEST', `${name}: expected JSON`);
  }
}
