/** Where a console and the administration that it asks are, as paths without a slash at their ends. */
export interface ConsolePlaces {
  base: string;
  admin: string;
}
