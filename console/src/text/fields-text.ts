/** Texts of the page of fields. */
export const fieldsText = {
  title: 'Fields',
  lead: 'Price of each field of the schema, and its actual cost.',
  views: 'Views',
  tabs: { all: 'All fields', costs: 'Cost by field', inaccurate: 'Inaccurate prices' },

  all: {
    title: 'Prices in force',
    costHint: 'Cost: one call without arguments and nested fields. Lists have their default size.',
    byCoordinate: 'By type',
    byCost: 'Most expensive first',
    computed: 'computed',
    byParent: 'by parent',
    count: (fields: string) => `${fields} fields`,
    startsWith: 'Begins with',
    empty: 'No field matches',
    listSize: 'List size',
  },

  price: {
    computed: 'computed in code',
    free: '0 (default)',
    perCall: (weight: string, source: string) => `${weight} per call (${source})`,
    perObject: (weight: string, source: string) => `${weight} per object (${source})`,
    perValue: (weight: string, source: string) => `${weight} per value (${source})`,
    annotated: '@cost',
    default: 'default',
  },

  size: {
    inferred: (names: string) => `${names} (inferred)`,
    withDefault: (source: string, size: string) => `${source}, default ${size}`,
    parent: 'parent field',
    annotated: (size: string) => `${size} (@listSize)`,
    default: 'default size',
    defaultOf: (size: string) => `default ${size}`,
  },

  costs: {
    hint: 'Without the cost of nested fields',
    inMostRequests: 'In most requests',
    inMostDenied: 'In most denied requests',
  },

  accuracy: {
    title: 'Estimate vs. actual',
    hint: 'Largest difference first',
    empty: 'All prices match the actual cost in this period',
    emptyHint: 'Prices are compared with the operations that ran.',
    estimatePerCall: 'Estimate per call',
    actualPerCall: 'Actual per call',
    difference: 'Difference (tokens)',
    suggestion: 'Suggested annotation',
    copy: 'Copy annotation',
  },

  unsized: {
    title: 'Unsized lists',
    hint: 'Using the default size',
    empty: 'All lists have a known size',
    emptyHint: 'Lists without @listSize appear here.',
    suggestion: 'Suggestion',
  },
} as const;
