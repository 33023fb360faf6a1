/**
 * Thrown when a caller cannot be looked up in time. Code that catches it must not treat the caller
 * as anonymous.
 */
export class IdentityUnavailable extends Error {}
