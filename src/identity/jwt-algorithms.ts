/**
 * Accepted algorithms, all with a key pair. With a shared secret (`HS256`), each service that
 * checks tokens could also issue them. Without a signature (`none`), anyone could. RFC 9864
 * replaces the name `EdDSA` with the name of the curve, `Ed25519`; issuers use either.
 */
export const JWT_ALGORITHMS: readonly string[] = [
  ...['RS', 'PS', 'ES'].flatMap((family) => [256, 384, 512].map((bits) => `${family}${bits}`)),
  'EdDSA',
  'Ed25519',
];
