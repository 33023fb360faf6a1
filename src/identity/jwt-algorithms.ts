/**
 * Accepted algorithms, all with a key pair. With a shared secret, each service that checks tokens
 * could also issue them, and anyone can issue unsigned ones. RFC 9864 names `EdDSA` over this curve
 * `Ed25519`.
 */
export const JWT_ALGORITHMS: readonly string[] = [
  ...['RS', 'PS', 'ES'].flatMap((family) => [256, 384, 512].map((bits) => `${family}${bits}`)),
  'EdDSA',
  'Ed25519',
];
