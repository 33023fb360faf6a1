import { z } from 'zod';
import { REGION_MODES, type RegionOptions } from '../../model/region-mode.js';
import { findNameMistake, findShareMistakes } from '../../options/region-option.js';
import type { schemaOf } from './setting-declaration.js';
import { listOf } from './settings.js';

const SHARE = /^([^=\s]+)\s*=\s*(\d{1,3})$/;
const EXAMPLE = 'eu=40,us=30,ap=30';

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
  TOLLGATE_TIER_REGION_MODE: {
    reads: z.enum(REGION_MODES, `expected ${REGION_MODES.join(' or ')}`).default('CENTRAL'),
    flag: 'tier-region-mode',
    value: REGION_MODES.join('|'),
    description: 'whether the limits of tiers and API keys are split between regions',
    docs: 'With `SPLIT`, each region enforces its share of the limits of tiers and API keys. Rules have a [`regionMode`](rules.md) of their own.',
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
  const { TOLLGATE_REGION: name, TOLLGATE_REGION_SHARES: shares } = values ?? {};
  if (name === undefined || shares === undefined) return;
  yield* findNameMistake(name, shares, shown('TOLLGATE_REGION'), shown('TOLLGATE_REGION_SHARES'));
}

/** Returns the region of an instance; undefined without one. */
export function regionOf(values: Values): RegionOptions | undefined {
  const { TOLLGATE_REGION: name, TOLLGATE_REGION_SHARES: shares, TOLLGATE_TIER_REGION_MODE: tierMode } = values;
  return name === undefined || shares === undefined ? undefined : { name, shares, tierMode };
}
