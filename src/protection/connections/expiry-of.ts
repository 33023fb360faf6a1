/**
 * Returns the time at which the bearer token of a header expires, in epoch milliseconds. Returns
 * undefined if the header has no JSON web token. The token is not verified, because the time only
 * determines when the credential is checked again.
 */
export function expiryOf(authorization: string | undefined): number | undefined {
  const [, payload] = /^bearer +[\w-]+\.([\w-]+)\.[\w-]*$/i.exec(authorization ?? '') ?? [];
  if (payload === undefined) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}
