/** Returns the host, the port and the database of a URL, without the user and the password. */
export function placeOfPostgres(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(withHost(url));
  const host = searchParams.get('host') ?? (hostname === NO_HOST || hostname === '' ? 'localhost' : hostname);
  return `${host}:${port || 5432}${pathname}`;
}

/**
 * Returns whether the driver can parse a URL. The URL may have no host before the path, because the
 * query string may name a Unix socket instead.
 */
export function isPostgresUrl(url: string): boolean {
  return URL.canParse(withHost(url));
}

const NO_HOST = 'no-host';

function withHost(url: string): string {
  return url.replace('@/', `@${NO_HOST}/`);
}
