import type { RequestHandler } from 'express';
import { requestError } from '../model/errors.js';

const NO_SINGLE_CONNECTION =
  'GraphQL over SSE is served in its distinct connections mode, not in the single connection mode: create the client with singleConnection: false';

/**
 * Accepts only GET requests and POST requests with JSON. Runs before the body is read. Other
 * content types are rejected because another site can make a browser send forms and plain text
 * without the user's consent.
 */
export const checkRequest: RequestHandler = (request, _response, next) => {
  const { method } = request;
  // Without this error, the client would wait for results on a connection that does not exist.
  if (request.headers['x-graphql-event-stream-token'] !== undefined) {
    throw requestError('BAD_REQUEST', NO_SINGLE_CONNECTION);
  }
  if (method === 'GET') return next();
  if (method !== 'POST') {
    // A client in this mode begins with a PUT.
    const hint = method === 'PUT' ? `. ${NO_SINGLE_CONNECTION}` : '';
    throw requestError('METHOD_NOT_ALLOWED', `expected POST, or GET for a query, got ${method}${hint}`, {
      allow: 'GET, POST',
    });
  }
  const mediaType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw requestError('UNSUPPORTED_MEDIA_TYPE', `expected application/json, got ${mediaType ?? 'none'}`);
  }
  next();
};
