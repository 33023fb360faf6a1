/** Paths of a console and of the administration that it calls, without a trailing slash. */
export interface ConsolePlaces {
  base: string;
  admin: string;
}
