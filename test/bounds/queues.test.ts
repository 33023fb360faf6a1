import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findContainers } from './find-containers.js';

/**
 * Folders whose functions depend only on one schema, document or command line, so they contain no
 * queues. caches.test.ts tests their caches.
 */
const WITHOUT_QUEUES = /^(cost|demo|graphiql|server\/commands|server\/config)\//;

const SOURCE = new URL('../../src/', import.meta.url);

const ONE_CALL = 'used during one call only';
const OPTIONS = 'as large as the options, rules, tiers or schema';
const UNDER_WAY = 'requests under way: pace-requests.ts begins at most 16 for each connection';
const CONNECTIONS = 'connections, which the system bounds';

/** Bound of every array, map and set that may outlive the call that creates it. */
const BOUNDS: Readonly<Record<string, string>> = {
  'admin/console/read-console-files.ts encoded': 'encodings that the console knows',
  'admin/console/read-console-files.ts pages': '100',
  'admin/console/create-console-codes.ts codes': 'MAX_CODES',
  'admin/console/create-session-endings.ts ended':
    'ended sessions of TOLLGATE_ADMIN_TOKEN, until the database responds',
  'admin/console/create-known-sessions.ts known': 'MAX_KNOWN',
  'admin/http/create-graphql-streams.ts open': 'maxStreams',
  'admin/http/create-stream-places.ts taken': 'maxStreams',
  'admin/http/create-usage-downloads.ts line': 'maxOpen',
  'admin/http/create-usage-downloads.ts running': 'maxOpen',
  'admin/context/check-role.ts names': ONE_CALL,
  'admin/context/check-role.ts seen': ONE_CALL,
  'documents/count-comparisons.ts .selections': ONE_CALL,
  'documents/count-comparisons.ts numbers': ONE_CALL,
  'documents/document-store.ts keys': 'one key for each stored document: maxBytes',
  'gateway/headers-for-upstream.ts knownKinds': 'MOST_KNOWN',
  'gateway/answer/create-merge.ts errors': 'one answer, maxBytesEach of the read budget',
  'gateway/answer/create-merge.ts pending': 'one answer, maxBytesEach of the read budget',
  'gateway/upstream/read-budget.ts heldBy': UNDER_WAY,
  'gateway/upstream/answer-receiver.ts #pieces': 'maxBytesEach of the read budget',
  'gateway/schema/open-upstream-schema.ts listeners': OPTIONS,
  'gateway/upstream/create-upstream-places.ts runningOf': 'maxRequests',
  'limiter/charge/create-limit-compiler.ts known': 'MAX_COMPILED',
  'limiter/denials/denial-entries.ts #byPartition': 'maxBytes',
  'limiter/denials/denial-entries.ts #entries': 'maxBytes',
  'limiter/denials/question.ts .waiting': UNDER_WAY,
  'limiter/lease/create-renewal-groups.ts open': 'one turn of the event loop',
  'limiter/lease/lease-charges.ts #found': 'MAX_BITS',
  'limiter/lease/lease-keeper.ts #holding': 'holders of leases: maxHolders of lease-table.ts',
  'limiter/lease/lease-refunds.ts #waiting': 'holders of leases: maxHolders of lease-table.ts',
  'limiter/lease/lease-refunds.ts #underWay': 'holders of leases: maxHolders of lease-table.ts',
  'limiter/lease/divide.ts latestSets': 'MAX_PARTS',
  'limiter/memory/partitions.ts circle': 'maxPartitions',
  'limiter/memory/call-places.ts #places': 'MAX_LIMITS',
  'limiter/redis/deadlines.ts queued': UNDER_WAY,
  'limiter/redis/deadlines.ts waiting': UNDER_WAY,
  'limiter/fallback/late-charge.ts corrections': 'settlements of one operation',
  'limiter/redis/create-lines.ts failed': 'nodes of a Cluster',
  'limiter/redis/create-lines.ts lines': 'nodes of a Cluster',
  'limiter/fallback/set-aside.ts fullUntilMs': 'MAX_DENIED',
  'limiter/fallback/set-aside.ts underWay': UNDER_WAY,
  'limiter/fallback/unsent-releases.ts waiting': 'maxWaiting',
  'limiter/charge/create-charge-reader.ts known': 'MAX_SETS',
  'limiter/redis/charge-across-slots.ts outcomes': 'parts of one charge',
  'limiter/redis/waiting-charges.ts .waiting': 'requests under way, until the breaker opens',
  'limiter/redis/waiting-charges.ts #places': 'nodes of a Cluster',
  'limiter/redis/request-writer.ts #found': 'one Redis call',
  'limiter/redis/request-writer.ts .keys': ONE_CALL,
  'limiter/redis/request-writer.ts .places': ONE_CALL,
  'limiter/redis/request-writer.ts #charges': 'one Redis call',
  'limiter/redis/request-keys.ts definitions': 'one Redis call',
  'limiter/redis/request-writer.ts #settlements': 'one Redis call',
  'limiter/redis/request-keys.ts used': 'one Redis call',
  'limiter/redis/lost-confirmations.ts kept': 'MAX_KEPT',
  'limiter/redis/lost-confirmations.ts untilMsOf': 'MAX_KEPT',
  'limiter/redis/resume-scheduler.ts group': 'one turn of the event loop',
  'limiter/redis/resume-scheduler.ts waiting': 'one turn of the event loop',
  'limiter/redis/settlement-queue.ts calls': 'one turn of the event loop',
  'runtime/files/lock-folder.ts held': OPTIONS,
  'runtime/files/make-private.ts .failed': ONE_CALL,
  'runtime/packages/parse-yaml.ts anchors': ONE_CALL,
  'runtime/packages/parse-yaml.ts linesOfStars': ONE_CALL,
  'runtime/packages/parse-yaml.ts problems': ONE_CALL,
  'runtime/sized-cache.ts values': 'maxBytes',
  'observability/create-caller-log.ts named': 'MAX_NAMES',
  'observability/create-engine-log.ts away': OPTIONS,
  'observability/create-engine-log.ts loggedAtMs': OPTIONS,
  'observability/live/create-traffic-samples.ts past': 'REMEMBERED_MS',
  'observability/live/create-traffic-samples.ts processes': 'processes that share a Redis',
  'observability/live/live-traffic.ts watchers': 'maxStreams of create-graphql-streams.ts',
  'observability/live/create-top-keys.ts entries': 'size',
  'observability/live/create-traffic-counter.ts periods': 'REMEMBERED_MS, with MAX_SUBJECTS in each',
  'observability/create-log-destination.ts waiting': 'maxWaiting',
  'observability/metrics/bound-metrics.ts all': OPTIONS,
  'observability/metrics/bound-metrics.ts cells': OPTIONS,
  'observability/metrics/count-decisions.ts cells': 'MAX_RULES',
  'observability/metrics/count-tiers.ts tiers': 'MAX_TIERS',
  'observability/create-shadow-report.ts announced': 'COUNTED.limits',
  'observability/create-shadow-report.ts counts': 'COUNTED.callers',
  'observability/create-shadow-report.ts limits': 'COUNTED.limits',
  'postgres/limit-reports.ts waiting': 'maxWaiting',
  'protection/find-forbidden-field.ts results': OPTIONS,
  'protection/answer/cost-extension.ts knownTimes': '64',
  'protection/batch-place.ts joined': 'operations of a batch, which the adapter bounds',
  'protection/batch-place.ts waiting': 'operations of a batch, which the adapter bounds',
  'protection/charge-binder.ts coordinates': ONE_CALL,
  'protection/kept-charges.ts #holding': 'MAX_CHARGES_OF_ALL',

  'rules/live/create-key-use.ts waiting': 'MAX_WAITING',
  'rules/live/create-kept-callers.ts underWay': UNDER_WAY,
  'rules/matching/bind-rules.ts knownBuckets': 'MAX_KNOWN_BUCKETS',
  'rules/matching/pool-finder.ts problems': ONE_CALL,
  'rules/matching/rule-index.ts .everything': OPTIONS,
  'rules/store/create-change-log.ts ended': ONE_CALL,
  'rules/store/create-change-log.ts listeners': OPTIONS,
  'rules/store/policy-sync.ts changed': ONE_CALL,
  'server/http/listen.ts answers': CONNECTIONS,
  'server/http/listen.ts sockets': CONNECTIONS,
  'server/http/create-request-queues.ts .waiting': 'one read of 64 KiB each, maxWaitingInAll together',
  'server/http/pace-requests.ts connections': CONNECTIONS,
  'server/http/pace-requests.ts ready': CONNECTIONS,
  'server/reject-redis-mistakes.ts errors': ONE_CALL,
  'server/http/server-metrics.ts cells': 'paths of endpoints',
  'server/start-gateway.ts reportedAtMs': 'codes of failures',
  'simulation/field-reach.ts known': OPTIONS,
  'simulation/create-rule-simulation.ts limiters': OPTIONS,
  'simulation/create-rule-simulation.ts plans': 'MAX_PLANS',
  'simulation/create-typical-outcomes.ts .fields': OPTIONS,
  'simulation/create-typical-outcomes.ts known': 'MAX_NAMES',
  'usage/query/usage-filter.ts conditions': ONE_CALL,
  'usage/query/usage-filter.ts values': ONE_CALL,
  'usage/record/create-field-aggregate.ts actuals': 'MAX_ARRAYS',
  'usage/record/create-field-aggregate.ts estimates': 'MAX_ARRAYS',
  'usage/record/create-field-aggregate.ts fields': OPTIONS,
  'usage/record/create-minute-counts.ts usage': 'maxEntries of create-usage-aggregate.ts',
  'usage/record/create-rule-counts.ts rules': 'maxEntries of create-usage-aggregate.ts',
  'usage/record/create-rule-counts.ts violations': 'maxEntries of create-usage-aggregate.ts',
  'usage/record/create-usage-aggregate.ts minutes': 'maxEntries',
  'usage/record/create-unread-records.ts unread': 'MAX_UNREAD',
  'usage/record/create-usage-partitions.ts ensured': 'days',
  'usage/record/create-denied-documents.ts madeBy': 'NEW_IN_A_MINUTE',
  'usage/record/create-denied-documents.ts waiting': 'MAX_WAITING',
  'usage/record/create-event-sample.ts keptOfCaller': 'events of a minute that are kept',
  'usage/record/create-event-sample.ts keptOfSame': 'events of a minute that are kept',
  'usage/record/create-name-numbers.ts wanted': 'one batch',
  'yoga/http-operations.ts .admissions': ONE_CALL,
};

test('every array, map and set that may outlive the call that creates it has a bound', () => {
  expect(findContainers(SOURCE, WITHOUT_QUEUES)).toEqual(Object.keys(BOUNDS).sort());
});

test('every constant or option that is named as a bound occurs in the file of its container', () => {
  for (const [queue, bound] of Object.entries(BOUNDS)) {
    if (!/^[A-Za-z_]+[A-Z_][A-Za-z_]+$/.test(bound)) continue;
    expect(readFileSync(new URL(queue.split(' ')[0]!, SOURCE), 'utf8'), queue).toMatch(new RegExp(`\\b${bound}\\b`));
  }
});
