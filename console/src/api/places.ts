/** Where the page and what it asks are, as the server wrote into the document. */
export interface Places {
  /** The path of the console, without a slash at its end: what the routes are below. */
  base: string;
  /** Of logging in and out. */
  session: string;
  graphql: string;
  stream: string;
  /** What the names of downloads are appended to. */
  downloads: string;
}

/**
 * @param baseHref what `<base>` says, such as `/tollgate/console/`
 * @param admin the path of the administration, such as `/tollgate`
 */
export function placesOf(baseHref: string, admin: string): Places {
  const base = withoutSlash(baseHref);
  const api = withoutSlash(admin);
  return {
    base,
    session: `${base}/session`,
    graphql: `${api}/graphql`,
    stream: `${api}/graphql/stream`,
    downloads: api,
  };
}

function withoutSlash(path: string): string {
  return path.replace(/\/+$/, '');
}
