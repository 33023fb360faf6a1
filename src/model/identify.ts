import type { IdentifiedSubject } from './subject.js';

/** What identification may look at. Header names are lower case. */
export interface IdentifyRequest<Context = unknown> {
  header(name: string): string | undefined;
  /** Apollo's context value: where a server keeps what it already knows of the caller. */
  contextValue: Context;
}

/** Says who is asking. A bad credential is thrown as an error with status 401, never answered with anonymity. */
export type Identify<Context = unknown> = (
  request: IdentifyRequest<Context>,
) => IdentifiedSubject | Promise<IdentifiedSubject>;
