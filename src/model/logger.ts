/** Where the library says what it does: pino's, or anything alike. */
export interface Logger {
  info(message: string): void;
  warn(message: string): void;
  error(details: object, message: string): void;
}
