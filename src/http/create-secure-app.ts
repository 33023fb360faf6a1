import express, { type Express } from 'express';

/**
 * Creates an Express application that does not reveal its software. Its headers prevent browsers
 * from treating responses as pages.
 */
export function createSecureApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((_request, response, next) => {
    response.setHeader('x-content-type-options', 'nosniff');
    response.setHeader('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
    response.setHeader('referrer-policy', 'no-referrer');
    next();
  });
  return app;
}
