const AUTHORITY = /^[a-z][a-z0-9+.-]{0,30}:\/\/(.*)$/is;

/**
 * Finds a mistake in the user or password of a URL, such as a character that must be
 * percent-encoded. Otherwise a URL parser could read a part of the password as the host, and
 * messages would contain that part.
 * @returns the expected form, without any part of the URL; undefined if there is no mistake
 */
export function findCredentialMistake(url: string): string | undefined {
  const rest = AUTHORITY.exec(url)?.[1] ?? '';
  const credentials = rest.slice(0, Math.max(0, rest.lastIndexOf('@')));
  if (!/[@/?#]/.test(credentials) && isDecodable(credentials)) return undefined;
  return 'expected the user and the password once, in front of the first host, and percent-encoded: "@" as %40, "/" as %2F, "?" as %3F, "#" as %23 and "%" as %25';
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
