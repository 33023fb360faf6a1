/** Paths of a console and of the admin API that it calls, without a trailing slash. */
export interface ConsolePlaces {
  base: string;
  admin: string;
}
