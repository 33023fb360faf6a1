import type { RequestHandler } from 'express';
import { requestError } from '../model/errors.js';

/**
 * Accepts only GET requests and POST requests with JSON. Runs before the body is read. Other
 * content types are rejected because another site can make a browser send forms and plain text
 * without the user's consent.
 */
export const checkRequest: RequestHandler = (request, _response, next) => {
  const { method } = request;
  if (method === 'GET') return next();
  if (method !== 'POST') {
    throw requestError('METHOD_NOT_ALLOWED', `expected POST, or GET for a query, got ${method}`, {
      allow: 'GET, POST',
    });
  }
  const mediaType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') {
    throw requestError('UNSUPPORTED_MEDIA_TYPE', `expected application/json, got ${mediaType ?? 'none'}`);
  }
  next();
};
