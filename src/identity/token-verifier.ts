import type { errors, JWTPayload, JWTVerifyOptions } from 'jose';
import type { Subject } from '../model/subject.js';
import { loadOptional } from '../runtime/packages/load-optional.js';
import { authenticationError } from './authentication-error.js';
import { importJose } from './import-jose.js';
import { createIssuerKeys } from './issuer-keys.js';

/** Issuer of the accepted tokens, and the claims that identify the caller. */
export interface JwtSettings {
  /** URL at which the issuer publishes its keys. */
  jwksUrl: string;
  /** Required `iss` of a token. */
  issuer: string;
  /** Value that the `aud` of a token must contain. */
  audience: string;
  /** Accepted signature algorithms. A token that names another algorithm is rejected. */
  algorithms: readonly string[];
  /** Claim with the user's id. @default 'sub' */
  userClaim?: string;
  /** Claim with the tenant's id. @default none */
  tenantClaim?: string;
  /** Maximum time for the issuer to respond, in milliseconds. @default 1000 */
  timeoutMs?: number;
  /**
   * Minimum time after a fetch of keys before an unknown key id causes another fetch, in
   * milliseconds.
   * @default 30000
   */
  cooldownMs?: number;
}

/**
 * Function that returns the subject of a token. It rejects with 401 for a bad token, and with 503
 * if the issuer's keys cannot be fetched.
 */
export type TokenVerifier = (token: string) => Promise<Subject>;

/** Tolerated difference between the clocks of the issuer and the server. */
const CLOCK_TOLERANCE_S = 5;

/**
 * Reasons for callers, by the error codes of jose. They help the caller and reveal nothing secret.
 */
const REASONS: Record<string, string> = {
  ERR_JWT_EXPIRED: 'the token has expired',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "the token's signature is wrong",
  ERR_JOSE_ALG_NOT_ALLOWED: "the token's algorithm is not accepted",
  ERR_JWKS_NO_MATCHING_KEY: "the token's key is unknown",
};

/** Creates a verifier of tokens. Loads the package `jose`, and no keys until the first token. */
export async function createTokenVerifier(settings: JwtSettings): Promise<TokenVerifier> {
  const jose = await loadOptional('jose', 'identity.jwt', importJose);
  const { errors, jwtVerify } = jose;
  const { jwksUrl, issuer, audience, algorithms, userClaim = 'sub', tenantClaim } = settings;
  const { timeoutMs = 1000, cooldownMs = 30_000 } = settings;
  const keys = createIssuerKeys({ jose, url: jwksUrl, timeoutMs, cooldownMs });
  const options: JWTVerifyOptions = {
    issuer,
    audience,
    algorithms: [...algorithms],
    clockTolerance: CLOCK_TOLERANCE_S,
    // A token without `exp` could never be revoked.
    requiredClaims: ['exp', userClaim],
  };

  async function verify(token: string): Promise<JWTPayload> {
    try {
      return (await jwtVerify(token, keys, options)).payload;
    } catch (error) {
      if (error instanceof errors.JWKSMultipleMatchingKeys) return verifyWithEach(token, error);
      throw rejectionOf(error, errors);
    }
  }

  /**
   * Tries all keys of the issuer on a token that does not name its key. An issuer has several keys
   * while it rotates them.
   */
  async function verifyWithEach(token: string, matching: errors.JWKSMultipleMatchingKeys): Promise<JWTPayload> {
    let reason: unknown;
    for await (const key of matching) {
      try {
        return (await jwtVerify(token, key, options)).payload;
      } catch (error) {
        reason = error;
        if (!(error instanceof errors.JWSSignatureVerificationFailed)) break;
      }
    }
    throw rejectionOf(reason, errors);
  }

  return async (token) => {
    const payload = await verify(token);
    const user = textOf(payload, userClaim);
    if (user === undefined) throw authenticationError(`the token's claim "${userClaim}" is not a string`);
    const tenant = tenantClaim === undefined ? undefined : textOf(payload, tenantClaim);
    if (tenantClaim !== undefined && payload[tenantClaim] !== undefined && tenant === undefined) {
      throw authenticationError(`the token's claim "${tenantClaim}" is not a string`);
    }
    return tenant === undefined ? { user } : { user, tenant };
  };
}

function textOf(payload: JWTPayload, claim: string): string | undefined {
  const value = Object.hasOwn(payload, claim) ? payload[claim] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function rejectionOf(error: unknown, { JOSEError, JWTClaimValidationFailed }: typeof errors): unknown {
  if (!(error instanceof JOSEError)) return error;
  if (error instanceof JWTClaimValidationFailed) return authenticationError(reasonOfClaim(error));
  return authenticationError(REASONS[error.code] ?? 'the token cannot be read');
}

/**
 * Returns the reason for a failed claim. It may contain the name of the claim, which is a setting
 * or a registered claim, and never content of the token.
 */
function reasonOfClaim({ claim, reason }: errors.JWTClaimValidationFailed): string {
  if (claim === 'iss' || claim === 'aud') return 'the token is not for this API';
  if (reason === 'missing') return `the token lacks the claim "${claim}"`;
  if (claim === 'nbf' && reason === 'check_failed') return 'the token is not valid yet by the clock of the server';
  return `the token's claim "${claim}" has a wrong value`;
}
