/**
 * Error during the start, with a cause that the user can fix. Commands print it without a stack
 * trace.
 */
export class StartError extends Error {
  readonly isForUser = true;
}
