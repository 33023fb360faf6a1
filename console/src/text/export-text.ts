import type { UsageBucket, UsageGroup } from '../generated/graphql.js';

const GROUPS: Record<UsageGroup, string> = {
  CALLER: 'Caller',
  FIELD: 'Field',
  INTEGRATION: 'Integration',
  OPERATION: 'Operation',
  REGION: 'Region',
  RULE: 'Rule',
  TENANT: 'Tenant',
  TIER: 'Tier',
};

const BUCKETS: Record<UsageBucket, string> = { MINUTE: 'Per minute', HOUR: 'Per hour', DAY: 'Per day' };

/** Texts of the export page. */
export const exportText = {
  title: 'Export',
  lead: 'Usage as a file, for billing and spreadsheets. The current period is incomplete.',

  yesterday: 'Yesterday (UTC)',
  lastMonth: 'Last month (UTC)',

  options: {
    title: 'Options',
    groupBy: 'Group by',
    groups: GROUPS,
    granularity: 'Granularity',
    automatic: 'Automatic granularity',
    buckets: BUCKETS,
    format: 'Format',
  },

  filter: {
    user: 'User',
    apiKey: 'API key prefix',
    ip: 'IP address',
    tenant: 'Tenant',
    tier: 'Tier',
    operation: 'Operation name',
    field: 'Field, such as Query.search',
    rule: 'Rule, or tier:NAME',
    integration: 'Integration, such as apollo-router',
    region: 'Region',
  },

  download: {
    title: 'Download',
    start: (format: string) => `Download ${format}`,
    stop: 'Stop',
    progress: (kilobytes: string) => `${kilobytes} KB downloaded`,
    complete: (rows: string, count: number) => `Complete: ${rows} ${count === 1 ? 'row' : 'rows'}`,
    incomplete: 'The download ended before the last line and was not saved. Try again.',
    hint: 'The last line contains the number of rows. Without it, the file is incomplete. Cells are escaped against formula injection. For millions of rows, use the command: it streams to disk.',
  },

  preview: {
    title: 'Preview',
    more: 'First rows only',
    noMatch: 'No usage matches these filters',
    from: 'From',
    day: 'Day (UTC)',
    estimatedCost: 'Estimated cost',
    actualCost: 'Actual cost',
  },
} as const;
