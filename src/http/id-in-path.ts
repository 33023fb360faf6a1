import type { Request } from 'express';

/**
 * Returns the id of a document in the path below that of an API, such as `/graphql/ID`. Returns
 * undefined if there is none, or if the request has a query.
 */
export function idInPath({ url }: Pick<Request, 'url'>, query: unknown): string | undefined {
  if (query !== undefined && query !== null && query !== '') return undefined;
  const mark = url.indexOf('?');
  const segment = (mark < 0 ? url : url.slice(0, mark)).replace(/^\//, '');
  if (segment === '' || segment.includes('/')) return undefined;
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
