import { readFileSync } from 'node:fs';

/** SDL of the sample API. */
export const DEMO_TYPE_DEFS = readFileSync(new URL('../schema/demo.graphql', import.meta.url), 'utf8');
