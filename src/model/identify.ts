import type { IdentifiedSubject } from './subject.js';

/** What identification may look at. Header names are lower case. */
export interface IdentifyRequest<Context = unknown> {
  header(name: string): string | undefined;
  /** Apollo's context value: where a server keeps what it already knows of the caller. */
  contextValue: Context;
}

/**
 * Says who is asking. A bad credential is thrown as an error with status 401, never answered with anonymity. What it names has
 * to be verified: callers who can choose their own name, as in a header of the request, get a full bucket with every new one.
 */
export type Identify<Context = unknown> = (
  request: IdentifyRequest<Context>,
) => IdentifiedSubject | Promise<IdentifiedSubject>;

/** One that also says whom to charge for a request whose sender it refuses to name. */
export interface Identification<Context = unknown> extends Identify<Context> {
  /** Undefined: nobody. */
  sender?(request: IdentifyRequest<Context>): IdentifiedSubject | undefined;
}
