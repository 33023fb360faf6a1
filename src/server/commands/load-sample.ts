import { pathToFileURL } from 'node:url';
import type { GraphQLSchema } from 'graphql';
import { costTypeDefs } from '../../cost/schema/cost-type-defs.js';
import type { Subject } from '../../model/subject.js';
import { rateLimitResolvers, rateLimitTypeDefs } from '../../protection/answer/rate-limit-numbers.js';
import type { RuleInput, TierInput } from '../../rules/policy/parse-policy.js';
import { pathInPackage } from '../../runtime/packages/path-in-package.js';
import { StartError } from '../../runtime/start-error.js';

/** A caller of the sample API, with a public key. */
export interface SampleKey {
  readonly key: string;
  readonly subject: Subject & { user: string; tier: string };
}

/** The sample API, which is part of `tollgate-platform`. */
export interface Sample {
  readonly schema: GraphQLSchema;
  /** Returns the context of one request. */
  context(): object;
  readonly tiers: readonly TierInput[];
  readonly rules: readonly RuleInput[];
  readonly keys: readonly SampleKey[];
  /** Simulated callers. */
  readonly callers: readonly SampleKey[];
  createTraffic(options: { url: () => string }): { readonly isOn: boolean; turnOn(): void; turnOff(): Promise<void> };
}

const MODULE = 'dist/sample.js';

/** Loads the sample API. @throws StartError if `tollgate-platform` is not installed */
export async function loadSample(): Promise<Sample> {
  // The first path exists in a checkout of the repository, the second in an installed
  // `tollgate-platform`.
  const path = pathInPackage('tollgate', `packages/platform/${MODULE}`) ?? pathInPackage('tollgate-platform', MODULE);
  if (path === undefined) {
    throw new StartError(
      'The sample API is in the package tollgate-platform, which is not installed: run "npx tollgate-platform start" (or gateway), or leave out --demo and set REDIS_URL and DATABASE_URL to run without the sample API',
    );
  }
  const { createSample } = (await import(pathToFileURL(path).href)) as { createSample(parts: object): Sample };
  return createSample({ costTypeDefs, rateLimitTypeDefs, rateLimitResolvers });
}
