import { readFileSync } from 'node:fs';

/** The version of the package that runs. The build puts it in the place of this call. */
export const TOLLGATE_VERSION: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version;
