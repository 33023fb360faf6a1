import { z } from 'zod';
import { DEFAULT_FLOOR, REGION_MODES, type RegionOptions } from '../../model/region-mode.js';
import { findMovingMistakes, findNameMistake, findShareMistakes } from '../../options/region-option.js';
import type { schemaOf } from './setting-declaration.js';
import { listOf, redisUrl } from './settings.js';

const SHARE = /^([^=\s]+)\s*=\s*(\d{1,3})$/;
const EXAMPLE = 'eu=40,us=30,ap=30';
const REGION_URL = /^([^=\s]+)=(\S+)$/;
const URLS_EXAMPLE = 'us=redis://us.example:6379 ap=redis://ap.example:6379';

/** Settings of the region of an instance. */
export const REGION_SETTINGS = {
  TOLLGATE_REGION: {
    reads: z.string().min(1).optional(),
    flag: 'region',
    value: 'NAME',
    description: 'region of this instance, one of --region-shares: see docs/regions.md',
    docs: 'The region of this instance, one of `TOLLGATE_REGION_SHARES`: see [regions.md](regions.md).',
  },
  TOLLGATE_REGION_SHARES: {
    reads: z
      .string()
      .transform((text) => listOf(text).map((part) => SHARE.exec(part)))
      .refine((parts) => parts.every((part) => part !== null), `expected shares in percent such as ${EXAMPLE}`)
      .transform((parts) => parts.map((part) => [part![1]!, Number(part![2])] as const))
      .refine(
        (shares) => new Set(shares.map(([name]) => name)).size === shares.length,
        `expected each region once, such as ${EXAMPLE}`,
      )
      .transform((shares): RegionOptions['shares'] => Object.fromEntries(shares))
      .superRefine((shares, context) => {
        for (const mistake of findShareMistakes(shares, '')) {
          // The calling code adds the value.
          context.addIssue({ code: 'custom', message: mistake.slice(': '.length, mistake.lastIndexOf(', got ')) });
        }
      })
      .optional(),
    flag: 'region-shares',
    value: 'SHARES',
    description: `share of each region in limits that are split, in percent, such as ${EXAMPLE}`,
    docs: `The share of each region in the limits with \`regionMode: SPLIT\`, in percent, such as \`${EXAMPLE}\`. Set the same value in all regions.`,
  },
  TOLLGATE_REGION_REDIS_URLS: {
    reads: z
      .string()
      .transform((text) => text.split(/\s+/).filter((part) => part !== ''))
      .transform((parts) => parts.map((part) => REGION_URL.exec(part)))
      .refine((parts) => parts.every((part) => part !== null), `expected URLs such as ${URLS_EXAMPLE}`)
      .transform((parts) => parts.flatMap((part) => (part === null ? [] : [[part[1]!, part[2]!] as const])))
      .superRefine((urls, context) => {
        for (const [index, [region, url]] of urls.entries()) {
          const isDouble = urls.findIndex(([other]) => other === region) < index;
          if (isDouble) context.addIssue({ code: 'custom', message: `${region}: expected each region once` });
          for (const { message } of redisUrl.safeParse(url).error?.issues ?? []) {
            context.addIssue({ code: 'custom', message: `${region}: ${message}` });
          }
        }
      })
      .transform((urls): Readonly<Record<string, string>> => Object.fromEntries(urls))
      .optional(),
    flag: 'region-redis-urls',
    value: 'URLS',
    description: `Redis of each other region, with which the regions exchange shares and counts, such as "${URLS_EXAMPLE}"`,
    docs: `The Redis of each other region, separated by spaces, such as \`${URLS_EXAMPLE}\`. Each URL has the form of \`REDIS_URL\`. With this setting, the regions [move their shares by demand](regions.md#shares-that-follow-the-demand), and [exchange the counts](regions.md#watched-limits) of limits with \`regionMode: WATCH\`. Without it, the shares are fixed, and \`WATCH\` has the effect of \`SPLIT\`.`,
  },
  TOLLGATE_TIER_REGION_MODE: {
    reads: z.enum(REGION_MODES, `expected one of ${REGION_MODES.join(', ')}`).default('CENTRAL'),
    flag: 'tier-region-mode',
    value: REGION_MODES.join('|'),
    description: 'how several regions enforce the limits of tiers and API keys',
    docs: 'With `SPLIT`, each region enforces its share of the limits of tiers and API keys. With `WATCH`, each region enforces the whole limits, and adds what the others have reported. Rules have a [`regionMode`](rules.md) of their own.',
  },
};

type Values = z.output<ReturnType<typeof schemaOf<typeof REGION_SETTINGS>>>;

interface GivenSettings {
  readonly input: Readonly<Record<string, string>>;
  /** Name by which the user set each setting: its variable or its flag. */
  readonly shownAs: Readonly<Record<string, string>>;
}

/** Finds mistakes in the combination of the settings. */
export function* findRegionMistakes({ input, shownAs }: GivenSettings, values: Values | undefined): Iterable<string> {
  const shown = (variable: keyof Values) => shownAs[variable] ?? variable;
  const isGiven = (variable: keyof Values) => input[variable] !== undefined;
  const needsBoth = (['TOLLGATE_REGION', 'TOLLGATE_REGION_SHARES'] as const).filter((variable) => !isGiven(variable));
  const present = (Object.keys(REGION_SETTINGS) as (keyof Values)[]).find(isGiven);
  if (present === undefined) return;
  for (const variable of needsBoth) {
    const example = variable === 'TOLLGATE_REGION' ? 'eu' : EXAMPLE;
    yield `${variable}: required when ${shown(present)} is set, such as ${example}`;
  }
  const moving = 'TOLLGATE_REGION_REDIS_URLS';
  if (isGiven(moving) && input['REDIS_URL'] === undefined) {
    yield `REDIS_URL: required when ${shown(moving)} is set, for the counters of this region`;
  }
  const { TOLLGATE_REGION: name, TOLLGATE_REGION_SHARES: shares, [moving]: urls } = values ?? {};
  if (name === undefined || shares === undefined) return;
  yield* findNameMistake(name, shares, shown('TOLLGATE_REGION'), shown('TOLLGATE_REGION_SHARES'));
  if (urls === undefined) return;
  const places = {
    shares: shown('TOLLGATE_REGION_SHARES'),
    redisOf: (region: string) => `${shown(moving)}: ${region}`,
  };
  yield* findMovingMistakes({ name, shares, floor: DEFAULT_FLOOR }, Object.keys(urls), places);
  for (const [region, url] of Object.entries(urls)) {
    const isOwn = url === input['REDIS_URL'];
    if (isOwn) yield `${places.redisOf(region)}: expected the Redis of that region, got that of REDIS_URL`;
  }
}

/** Returns the region of an instance; undefined without one. */
export function regionOf(values: Values): RegionOptions | undefined {
  const { TOLLGATE_REGION: name, TOLLGATE_REGION_SHARES: shares, TOLLGATE_TIER_REGION_MODE: tierMode } = values;
  if (name === undefined || shares === undefined) return undefined;
  const { TOLLGATE_REGION_REDIS_URLS: redis } = values;
  return { name, shares, tierMode, ...(redis !== undefined && { redis }) };
}
