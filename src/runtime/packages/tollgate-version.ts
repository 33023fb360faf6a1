import { readFileSync } from 'node:fs';

/** Version of this package. The build replaces the expression with its value. */
export const TOLLGATE_VERSION: string = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
).version;
