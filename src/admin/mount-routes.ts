import express, { type Express, type RequestHandler } from 'express';
import { checkRequest } from '../http/check-request.js';
import { answerErrors, answerFailures, type RejectRequest } from '../http/reject-request.js';

interface Route {
  path: string;
  handler: RequestHandler;
}

interface MountedRoutes {
  /**
   * GraphQL routes. `onAnswer` receives the status of each error that reaches the error handler of
   * the route. The handler of `/graphql` reports its other responses itself. That of streams
   * reports none.
   */
  graphql: readonly Route[];
  downloads: readonly Route[];
  /** All paths, listed in the response to an unknown path. */
  paths: readonly string[];
  /** Maximum size of the body of a GraphQL request, in bytes. */
  maxBodyBytes: number;
  reject: RejectRequest;
  onAnswer(path: string, status: number): void;
  onError(error: unknown): void;
}

/**
 * Mounts the routes after the existing middleware of an app. It then adds the responses to unknown
 * paths and to failures.
 */
export function mountRoutes(
  app: Express,
  { graphql, downloads, paths, maxBodyBytes, reject, onAnswer, onError }: MountedRoutes,
): void {
  for (const { path, handler } of graphql) {
    const answered = (status: number) => onAnswer(path, status);
    const failed = answerErrors(reject, answered, onError);
    app.use(path, checkRequest, express.json({ limit: maxBodyBytes }), handler, failed);
  }
  for (const { path, handler } of downloads) {
    app.get(path, handler);
    // The session of the console is only accepted with a JSON body.
    app.post(path, checkRequest, express.json({ limit: 4096 }), handler);
    app.use(
      path,
      answerErrors(reject, () => {}, onError),
    );
  }
  app.use((request, response) => {
    const all = paths.map((path) => request.baseUrl + path).join(', ');
    response.status(404).json({ errors: [{ message: `Not found: ${request.path}; expected one of ${all}` }] });
  });
  app.use(answerFailures(onError));
}
