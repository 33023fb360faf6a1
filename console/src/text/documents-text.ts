import type { DocumentVersionState } from '../generated/graphql.js';

const STATES: Record<DocumentVersionState, string> = {
  DRAFT: 'pushed',
  PUBLISHED: 'published',
  RETIRED: 'retired',
};

/** Texts of the pages of registered documents. */
export const documentsText = {
  states: STATES,
  never: 'never',

  list: {
    title: 'Documents',
    lead: 'Documents that apps have registered. Clients send their ids instead of texts.',
    name: 'App or version',
    anyState: 'Any state',
    use: 'Use',
    anyUse: 'Used or unused',
    unusedFor: (days: number) => `Unused for ${days} days`,
    versions: 'Versions',
    noMatch: 'No version matches',
    empty: 'No registered documents',
    emptyHint: 'Push the documents of an app, as your compiler writes them. Then publish the version.',
    command: 'tollgate documents push persisted-documents.json --app web --version 1.0.0',
  },

  column: {
    app: 'App',
    documents: 'Documents',
    uses: 'Uses, last 30 days',
    pushed: 'Pushed',
    worstCase: 'Worst case',
    document: 'Document',
    usesByCaller: 'Uses',
  },

  version: {
    of: (app: string) => `Version of the app "${app}"`,
    unnamed: 'The URL contains no app and version',
    unnamedHint: 'Select a version in the list.',
    notFound: 'No such version',
    notFoundHint: 'Check the name, or push the version:',
    size: 'Size',
    bytes: (bytes: string) => `${bytes} bytes`,
    definition: 'Version',
    pushed: 'Pushed',
    by: (actor: string) => `by ${actor}`,
    published: 'Published',
    retired: 'Retired',
    notYet: 'not yet',
    documents: 'Documents',
    documentName: 'Operation or id',
    noDocument: 'No document matches',
    changeFilters: 'Change the filters.',
    worstCaseNote:
      'The worst case is the largest cost of any request with the document, on the current schema and prices.',
    unbounded: (variables: string) => `unbounded (${variables})`,
    broken: 'broken',
    callers: 'Callers, last 30 days',
    noCallers: 'No caller used this version',
    noCallersHint: 'Callers appear here within ten seconds after they use a document.',
    history: 'Change history',
    noHistory: 'No changes',
    noHistoryHint: 'Each change of the version appears here.',
    unnamedOperation: 'unnamed',
  },

  broken: {
    title: 'Broken by the schema in force',
    none: 'No broken documents',
    checked: (count: string) => `All ${count} published documents are valid.`,
    more: (count: string) => `${count} documents are broken. Only the first are shown.`,
    incomplete: (checked: string) => `Only ${checked} documents were checked so far. Reload to continue.`,
    others: (count: number) => `and ${count} more`,
    reason: 'Reason',
  },

  publish: 'Publish',
  publishDialog: {
    title: 'Publish this version?',
    text: 'Callers can then send its documents by id, within a second on all instances.',
  },
  retireDialog: {
    title: 'Retire this version?',
    text: 'Callers can no longer send its documents by id, unless another published version has them.',
    anyway: 'Retire anyway',
    anywayText: 'These callers get errors until they use another version.',
  },
  toast: {
    published: (name: string) => `${name} published`,
    retired: (name: string) => `${name} retired`,
  },
} as const;
