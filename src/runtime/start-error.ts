/** Error at a start that the user can correct. Commands print it without a stack. */
export class StartError extends Error {
  readonly isForUser = true;
}
