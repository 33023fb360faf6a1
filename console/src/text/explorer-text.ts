import type { PreviewVerdict } from '../generated/graphql.js';

const VERDICTS: Record<PreviewVerdict, string> = {
  ADMITTED: 'admitted',
  DELAYED: 'delayed',
  MAX_COST_EXCEEDED: 'max cost exceeded',
  THROTTLED: 'denied',
  UNAVAILABLE: 'unavailable',
  WAITING: 'waits for a slot',
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
    hintOfDocs: 'Ctrl+D or Cmd+D, or a click with Ctrl or Cmd, shows the documentation of a name.',
    hintOfRun: 'Ctrl+Enter or Cmd+Enter runs the operation.',
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
    fields: 'Price of each field',
    noFields: 'No fields',
    noFieldsHint: 'Select a field to see its cost.',
    sizeOf: (size: string) => `Size: ${size}`,
    showDocs: 'Show documentation',
    share: 'Share',
    shareOf: (path: string, percent: number) => `${path}: ${percent} % of the cost`,
    tokensOf: (path: string, cost: string, total: string) => `${path}: ${cost} of ${total} tokens`,
    firstFields: (count: number) => `Only the first ${count} fields are shown.`,
    costPlan: 'Cost plan:',
    empty: 'No operation yet',
    emptyHint: 'Enter an operation to see its cost.',
  },

  panel: {
    label: 'Price, schema and history',
    tabs: { price: 'Price', schema: 'Schema', history: 'History' },
  },

  docs: {
    search: 'Search types, fields and arguments',
    back: 'Back',
    start: 'All types',
    roots: 'Operations',
    types: 'Types',
    found: (count: number) => `${count} found`,
    firstFound: (count: number) => `The first ${count} matches. Enter more letters.`,
    notFound: 'No name matches',
    kind: {
      object: 'Object type',
      interface: 'Interface',
      union: 'Union',
      enum: 'Enum',
      input: 'Input type',
      scalar: 'Scalar',
    },
    fields: 'Fields',
    values: 'Values',
    arguments: 'Arguments',
    implements: 'Implements',
    possibleTypes: 'Possible types',
    returns: 'Returns',
    of: 'Field of',
    cost: 'Cost',
    listSize: 'List size',
    deprecated: 'deprecated',
    defaultValue: (value: string) => `= ${value}`,
    size: (size: string) => `list size: ${size}`,
    guessed: 'guessed',
    guessedHint: 'No annotation sets this size.',
    pricedByObject: 'The cost depends on the object type.',
    insert: 'Insert into operation',
    inserted: 'Inserted',
    notInOperation: (type: string) => `Place the cursor inside the selection of ${type}, or empty the editor.`,
    notInSelection: (type: string) => `Place the cursor inside a selection of ${type}.`,
  },

  history: {
    title: 'Priced operations',
    hint: 'Stored in this browser only, without values of passwords, tokens and keys.',
    clear: 'Clear history',
    cleared: 'History cleared',
    empty: 'No priced operations yet',
    emptyHint: 'Operations appear here two seconds after you stop typing. They are stored in this browser only.',
    tokens: (cost: string) => `${cost} tokens`,
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
    emptyHint: 'The limits that apply to the user and the remaining quota appear here.',
    tier: 'Tier',
    verdict: VERDICTS,
    deniedBy: 'by',
    retryAfter: (duration: string) => `retry after ${duration}`,
    limits: 'Limits',
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
