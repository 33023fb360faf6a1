/** Addresses of the page and of the API, as the server wrote them into the document. */
export interface Places {
  /** Path of the console without a trailing slash. The routes are relative to it. */
  base: string;
  /** Path for login and logout. */
  session: string;
  graphql: string;
  stream: string;
  /** Path to which the names of downloads are appended. */
  downloads: string;
}

/**
 * Returns all addresses, derived from two paths in the document.
 * @param baseHref value of `<base>`, such as `/tollgate/console/`
 * @param admin path of the admin API, such as `/tollgate`
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
