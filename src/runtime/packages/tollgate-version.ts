import { readFileSync } from 'node:fs';

/** Version of the running package. The build replaces this call with the value. */
export const TOLLGATE_VERSION: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version;
