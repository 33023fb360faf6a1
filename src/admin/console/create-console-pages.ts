import type { Request, Response } from 'express';
import type { ConsolePlaces } from './console-places.js';
import { type ConsoleFile, readConsoleFiles } from './read-console-files.js';

const NOT_BUILT =
  'The files of the console are missing. In a checkout, run "npm run build:console". In a bundle, mark the package tollgate as external, because ' +
  'bundlers do not copy the files that it serves.\n';

/** Creates the handler that serves a file of the console, or its page. */
export function createConsolePages(): (request: Request, response: Response, places: ConsolePlaces) => Promise<void> {
  const files = readConsoleFiles();

  return async (request, response, { base, admin }) => {
    const path = request.path.slice(1);
    const file = files.file(path);
    if (file) return send(request, response, file);
    // A path with a file extension names a missing file. Every other path is a route of the page.
    if (/\.\w+$/.test(path) || path.startsWith('assets/'))
      return void response.status(404).type('txt').send('Not found\n');
    const page = files.page(base, admin);
    if (!page) return void response.status(503).type('txt').send(NOT_BUILT);
    return send(request, response, page);
  };
}

async function send(request: Request, response: Response, file: ConsoleFile): Promise<void> {
  const { encoding, bytes } = await file.encodedFor(request.headers['accept-encoding']);
  response.setHeader('content-type', file.type);
  response.setHeader('vary', 'accept-encoding');
  response.setHeader('cache-control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache');
  if (encoding) response.setHeader('content-encoding', encoding);
  response.end(bytes);
}
