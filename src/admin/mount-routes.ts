import express, { type Express, type RequestHandler } from 'express';
import { checkRequest } from '../http/check-request.js';
import { answerErrors, answerFailures, type RejectRequest } from '../http/reject-request.js';

interface Route {
  path: string;
  handler: RequestHandler;
}

interface MountedRoutes {
  /** `onAnswer` is told of their errors; their handlers tell of what they answer. */
  graphql: readonly Route[];
  downloads: readonly Route[];
  /** All that there is, for who asks for something else. */
  paths: readonly string[];
  /** The largest body for GraphQL. */
  maxBodyBytes: number;
  reject: RejectRequest;
  onAnswer(path: string, status: number): void;
  onError(error: unknown): void;
}

/** Puts the routes behind what an application has so far, and after them the answers to what is nowhere and what fails. */
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
    // The session of the console is good for JSON alone.
    app.post(path, checkRequest, express.json({ limit: 4096 }), handler);
    app.use(
      path,
      answerErrors(reject, () => {}, onError),
    );
  }
  app.use((request, response) => {
    const all = paths.map((path) => request.baseUrl + path).join(', ');
    response.status(404).json({ errors: [{ message: `Nothing is at ${request.path}; there are ${all}` }] });
  });
  app.use(answerFailures(onError));
}
