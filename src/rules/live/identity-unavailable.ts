/** Thrown when a caller cannot be looked up in time. It must never make a caller anonymous. */
export class IdentityUnavailable extends Error {}
