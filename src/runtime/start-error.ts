/** A reason not to start that its reader can do something about: commands print it without a stack. */
export class StartError extends Error {
  readonly isForUser = true;
}
