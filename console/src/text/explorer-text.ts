import type { PreviewVerdict } from '../generated/graphql.js';

const VERDICTS: Record<PreviewVerdict, string> = {
  ADMITTED: 'admitted',
  DELAYED: 'delayed',
  MAX_COST_EXCEEDED: 'max cost exceeded',
  THROTTLED: 'denied',
  UNAVAILABLE: 'unavailable',
};

/** Texts of the explorer, and of the page of the sample API. */
export const explorerText = {
  title: 'Explorer',
  lead: 'Cost of an operation, field by field. Nothing is charged.',

  sampleApi: {
    title: 'Sample API',
    lead: 'This page uses the key demo-pro. Reading the schema costs ten tokens, and each price check costs one. Operations run only when you select Run.',
  },

  denied: {
    notStored: 'The denied operation is no longer stored.',
    redacted: 'The denied operation, with values redacted (list sizes kept).',
    sameCost: 'The cost is unchanged.',
    otherCost: (before: string, now: string) =>
      `Cost at the denial: ${before} tokens. Cost now: ${now} tokens. A price has changed, or the cost depends on a redacted value.`,
  },

  editor: {
    label: 'Operation',
    placeholder: 'Enter a GraphQL operation',
    hint: 'Tab leaves the editor. Ctrl+Space completes a name.',
    hintWithRun: 'Tab leaves the editor. Ctrl+Space completes a name. Ctrl+Enter or Cmd+Enter runs the operation.',
  },
  variables: {
    label: 'Variables (JSON)',
    placeholder: '{ "first": 20 }',
    invalidJson: (reason: string) => `Variables: invalid JSON: ${reason}`,
    notAnObject: 'Variables: expected a JSON object, such as { "first": 20 }.',
  },

  price: {
    title: 'Price',
    maximum: 'Maximum cost',
    objects: 'Objects',
    typeCost: 'Type cost',
    fieldCost: 'Field cost',
    noFields: 'No fields',
    size: 'Size',
    share: 'Share',
    shareOf: (path: string, percent: number) => `${path}: ${percent} % of the cost`,
    tokensOf: (path: string, cost: string, total: string) => `${path}: ${cost} of ${total} tokens`,
    firstFields: (count: number) => `Only the first ${count} fields are shown.`,
    costPlan: 'Cost plan:',
    empty: 'No operation yet',
    emptyHint: 'Enter an operation to see its cost.',
  },

  size: {
    annotated: (size: number) => `${size} (@listSize)`,
    argument: (size: number, argument: string) => `${size} (${argument})`,
    argumentDefault: (size: number, argument: string) => `${size} (default of ${argument})`,
    variable: (size: number, argument: string, variable: string) => `${size} (${argument}: ${variable})`,
    default: (size: number) => `${size} (default size)`,
  },

  tiers: {
    title: 'Affordability by tier',
    tier: 'Tier',
    burst: 'Burst',
    sustained: 'Sustained',
    share: 'Share of bucket',
    times: (count: string) => `${count}x`,
    perMinute: (count: string) => `${count}/min`,
    unlimited: 'unlimited',
    tooExpensive: 'too expensive',
    maximum: (tokens: string) => `maximum ${tokens} tokens`,
  },

  preview: {
    title: 'Check for a caller',
    user: 'User',
    userPlaceholder: 'User ID',
    empty: 'Enter a user',
    emptyHint: 'See the limits that apply to them and the remaining quota.',
    tier: 'Tier',
    verdict: VERDICTS,
    deniedBy: 'by',
    retryAfter: (duration: string) => `retry after ${duration}`,
    limit: 'Limit',
    cost: 'Cost',
    remaining: 'Remaining',
    maximum: 'Maximum',
    wouldDeny: 'would deny (shadow)',
    denies: 'denies',
  },

  run: {
    title: 'Run',
    key: 'API key',
    withKey: (key: string) => `Key ${key}`,
    withoutKey: 'Without a key',
    run: 'Run',
    empty: 'Not run yet',
    emptyHint: 'The operation is charged to the caller of the key.',
    status: 'Status',
    response: 'Response',
    truncated: 'The rest of the response is not shown.',
  },
} as const;
