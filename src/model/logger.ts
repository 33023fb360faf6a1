/** Logger of the library: pino's, or one with the same methods. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(details: object, message: string): void;
}
