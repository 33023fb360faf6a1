/** What is sent. */
export interface Sent {
  method?: string;
  search?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

/** A request that is refused; of one number it is always the same, and no two numbers have the same. */
export type Make = (number: number) => Sent;

/** What of a request is for a parser: a body that is text, and the document in it, where there is one. */
export function textOf({ search, body }: Sent): { body?: string; document?: string } {
  if (typeof body !== 'string') {
    const document = new URLSearchParams(search).get('query');
    return document === null ? {} : { document };
  }
  try {
    const { query } = JSON.parse(body);
    return typeof query === 'string' ? { body, document: query } : { body };
  } catch {
    return { body };
  }
}
