/** Texts of the page of fields. */
export const fieldsText = {
  title: 'Fields',
  lead: 'Price of each field of the schema, and what it cost.',
  views: 'Views',
  tabs: { all: 'All fields', costs: 'Cost by field', inaccurate: 'Inaccurate prices' },
  api: 'API',

  all: {
    title: 'By coordinate',
    count: (fields: string) => `${fields} fields`,
    startsWith: 'Begins with',
    empty: 'No field matches',
    listSize: 'List size',
  },

  price: {
    computed: 'computed in code',
    default: 'default',
    perCall: (weight: number) => `${weight} per call`,
    perObject: (weight: number) => `${weight} per object`,
  },

  size: {
    inferred: (names: string) => `${names} (inferred)`,
    withDefault: (source: string, size: string) => `${source}, default ${size}`,
    parent: 'parent field',
    annotated: (size: string) => `${size} (@listSize)`,
    default: 'default size',
    defaultOf: (size: string) => `${size} (default)`,
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
