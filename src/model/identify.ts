import type { IdentifiedSubject } from './subject.js';

/** Request data that identification may read. Header names are lower case. */
export interface IdentifyRequest<Context = unknown> {
  header(name: string): string | undefined;
  /** Apollo's context value, in which a server stores its data about the caller. */
  contextValue: Context;
}

/**
 * Function that identifies the caller. For a bad credential it throws an error with status 401, and
 * never returns an anonymous caller.
 *
 * The returned names must be verified. Callers who can choose their own name, as in a header of the
 * request, get a full bucket with every new name.
 */
export type Identify<Context = unknown> = (
  request: IdentifyRequest<Context>,
) => IdentifiedSubject | Promise<IdentifiedSubject>;

/**
 * Identification that can also name the caller to charge if the sender of a request is not
 * identified.
 */
export interface Identification<Context = unknown> extends Identify<Context> {
  /** Returns the caller to charge; undefined if there is none. */
  sender?(request: IdentifyRequest<Context>): IdentifiedSubject | undefined;
}
