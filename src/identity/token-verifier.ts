import type { errors, JWTPayload, JWTVerifyOptions } from 'jose';
import type { Subject } from '../model/subject.js';
import { loadOptional } from '../runtime/packages/load-optional.js';
import { authenticationError } from './authentication-error.js';
import { importJose } from './import-jose.js';
import { createIssuerKeys } from './issuer-keys.js';

/** Whose tokens are taken, and what of them says who is asking. */
export interface JwtSettings {
  /** Where the issuer publishes its keys. */
  jwksUrl: string;
  /** What a token's `iss` has to be. */
  issuer: string;
  /** What a token's `aud` has to hold. */
  audience: string;
  /** Algorithms that a token may be signed with: nothing is taken on the token's word. */
  algorithms: readonly string[];
  /** The claim with the user's id. @default 'sub' */
  userClaim?: string;
  /** The claim with the tenant's id. @default none */
  tenantClaim?: string;
  /** How long the issuer may take to answer. @default 1000 */
  timeoutMs?: number;
  /** How long no keys are fetched again because of an unknown key id. @default 30000 */
  cooldownMs?: number;
}

/** Who a token says is asking. Rejects with 401 for a bad one, with 503 when the issuer's keys cannot be had. */
export type TokenVerifier = (token: string) => Promise<Subject>;

/** Clocks may differ by so much. */
const CLOCK_TOLERANCE_S = 5;

/** What is wrong, in words that help the caller and give nothing away. */
const REASONS: Record<string, string> = {
  ERR_JWT_EXPIRED: 'the token has expired',
  ERR_JWS_SIGNATURE_VERIFICATION_FAILED: "the token's signature is wrong",
  ERR_JOSE_ALG_NOT_ALLOWED: "the token's algorithm is not accepted",
  ERR_JWKS_NO_MATCHING_KEY: "the token's key is unknown",
};

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
    // A token without an end could never be taken back.
    requiredClaims: ['exp', userClaim],
  };

  async function verify(token: string): Promise<JWTPayload> {
    try {
      return (await jwtVerify(token, keys, options)).payload;
    } catch (error) {
      if (error instanceof errors.JWKSMultipleMatchingKeys) return verifyWithEach(token, error);
      throw refusal(error, errors);
    }
  }

  /** The token names no key, and the issuer has several, as it does while it changes them. */
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
    throw refusal(reason, errors);
  }

  return async (token) => {
    const payload = await verify(token);
    const user = textOf(payload, userClaim);
    if (user === undefined) throw authenticationError(`the token's claim "${userClaim}" is no text`);
    const tenant = tenantClaim === undefined ? undefined : textOf(payload, tenantClaim);
    if (tenantClaim !== undefined && payload[tenantClaim] !== undefined && tenant === undefined) {
      throw authenticationError(`the token's claim "${tenantClaim}" is no text`);
    }
    return tenant === undefined ? { user } : { user, tenant };
  };
}

function textOf(payload: JWTPayload, claim: string): string | undefined {
  const value = Object.hasOwn(payload, claim) ? payload[claim] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function refusal(error: unknown, { JOSEError, JWTClaimValidationFailed }: typeof errors): unknown {
  if (!(error instanceof JOSEError)) return error;
  if (error instanceof JWTClaimValidationFailed) return authenticationError(reasonOfClaim(error));
  return authenticationError(REASONS[error.code] ?? 'the token cannot be read');
}

/** The name of the claim is in the settings, or one of those that every token may have. */
function reasonOfClaim({ claim, reason }: errors.JWTClaimValidationFailed): string {
  if (claim === 'iss' || claim === 'aud') return 'the token is not for this API';
  if (reason === 'missing') return `the token lacks the claim "${claim}"`;
  if (claim === 'nbf' && reason === 'check_failed') return 'the token is not good yet, by the clock of the server';
  return `the token's claim "${claim}" is not what it has to be`;
}
