import { readFileSync } from 'node:fs';

/** The schema of the sample API. */
export const DEMO_TYPE_DEFS = readFileSync(new URL('../schema/demo.graphql', import.meta.url), 'utf8');
