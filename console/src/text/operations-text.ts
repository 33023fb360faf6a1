/** Texts of the page of operations. */
export const operationsText = {
  title: 'Operations',
  lead: 'Operations by name, with cost.',
  namesHint: 'Operations are listed by the names that clients give them.',
  noMatch: 'No operation with this name',
  percentiles: 'p50 and p95 over the latest 20,000 logged runs (up to a day).',
  callers: 'Callers of this operation',
  denials: 'Denials',
  other: 'other operations',
  unnamed: 'unnamed',
  runs: (count: string) => `${count} runs`,
  registration: {
    documents: 'Documents',
    allDocuments: 'All documents',
    registered: 'Registered',
    notRegistered: 'Not registered',
    registeredBy: (app: string, version: string) => `registered by ${app} ${version}`,
    more: (others: number) => `and ${others} more`,
  },
  column: {
    costP50: 'Cost p50',
    costP95: 'Cost p95',
    timeP95: 'Duration p95',
  },
} as const;
