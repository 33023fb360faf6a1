import type { LiveTraffic } from '../observability/live/live-traffic.js';
import type { CreatedAdminToken } from '../rules/store/admin-tokens.js';
import type { CreatedApiKey } from '../rules/store/api-keys.js';
import type { Outcome } from '../rules/store/outcome.js';
import type { RuleReference, RuleUpdate } from '../rules/store/rules.js';
import type { RulesStore } from '../rules/store/rules-store.js';
import type { UsageReader } from '../usage/query/usage-reader.js';
import type { AdminContext } from './admin-context.js';
import { badQuery } from './bad-query.js';
import type { AdminTokenCreateInput, AdminTokenRevokeInput } from './callers/admin-token-types.js';
import { callerOf, limitedSubject, type QuotaOf, toQuota, toSubject } from './callers/caller-quota.js';
import type { SubjectInput, SubjectResetQuotaInput } from './callers/quota-types.js';
import { createQuotaReset, type ResetQuota } from './callers/reset-quota.js';
import type {
  ApiKeyCreateInput,
  ApiKeyRevokeInput,
  ApiKeyRotateInput,
  SubjectAssignTierInput,
  SubjectDisableInput,
  SubjectFilterInput,
  SubjectSetOverrideInput,
} from './callers/subject-types.js';
import { guardOperations } from './guard-operations.js';
import type { ExplainOf, OperationArgs, PreviewArgs, PreviewOf } from './platform/preview-types.js';
import {
  orNull,
  presentAdminToken,
  presentApiKey,
  presentChange,
  presentRule,
  presentSubject,
  presentTier,
} from './present.js';
import type { PolicySyncInput } from './rules/policy-types.js';
import type {
  RuleCreateInput,
  RuleFilterInput,
  RuleRestoreInput,
  RuleRetireInput,
  RuleSetModeInput,
  RuleUpdateInput,
} from './rules/rule-types.js';
import { createRuleSimulationOperation } from './rules/simulation-resolver.js';
import type { SimulateRule } from './rules/simulation-types.js';
import { effectsOf, objectOf, toFilter, toPlain } from './schema/change.js';
import type { ChangeFilterInput } from './schema/change-types.js';
import { numberAfter, type PageArgs, toConnection, toPage } from './schema/connection.js';
import { keyOf, numberOf, parseGlobalId } from './schema/global-id.js';
import type { TierCreateInput, TierRetireInput, TierUpdateInput } from './tiers/tier-types.js';
import { createUsageOperations, type FieldPriceOf } from './usage/usage-service.js';

/** What of the platform the API shows besides what is stored. */
export interface AdminSources {
  store: RulesStore;
  usage: UsageReader;
  fieldPriceOf: FieldPriceOf;
  simulateRule: SimulateRule;
  quotaOf: QuotaOf;
  resetQuota: ResetQuota;
  previewOf: PreviewOf;
  explainOf: ExplainOf;
  /** What is wrong with the process that answers, and the number of the change that is in force there. */
  healthOf: () => { problems: readonly string[]; rulesetVersion: number | null };
  /** The traffic as it is now. @default it cannot be watched */
  watchTraffic?: LiveTraffic['watch'];
}

export type AdminService = ReturnType<typeof createAdminService>;

/** Everything that the admin API can do, each operation behind the check of its role. */
export function createAdminService(sources: AdminSources) {
  const { store, quotaOf, previewOf, explainOf, healthOf, watchTraffic } = sources;
  const resetQuota = createQuotaReset(sources);
  const loadersOf = ({ loaders }: AdminContext) => loaders;

  async function callerKnownAs(context: AdminContext, input: SubjectInput) {
    return callerOf(toSubject(input), store, loadersOf(context));
  }

  return guardOperations(
    {
      ...createUsageOperations(sources),
      ruleSimulate: createRuleSimulationOperation(sources),

      async node(context: AdminContext, id: string) {
        const { kind, key } = parseGlobalId(id) ?? {};
        const loaders = loadersOf(context);
        const named = <Shown extends object>(shown: Shown | null) => shown && { __typename: kind, ...shown };
        const number = kind === undefined ? 0 : numberOf(kind, id);
        switch (kind) {
          case 'Tier':
            return named(orNull(await loaders.tier.load(key ?? ''), presentTier));
          case 'Rule':
            return named(orNull(await loaders.rule.load(key ?? ''), presentRule));
          case 'Subject':
            return named(orNull(await loaders.subject.load(number), presentSubject));
          case 'ApiKey':
            return named(orNull(await loaders.apiKey.load(number), presentApiKey));
          case 'Change':
            return named(orNull(await loaders.change.load(number), presentChange));
          // Tokens of administrators are for admins alone: they are listed, not found.
          default:
            return null;
        }
      },

      async tiers(_context: AdminContext, args: PageArgs, retired: boolean) {
        const page = toPage(args);
        const rows = await store.pageTiers({ retired }, { after: page.after ?? '', limit: page.limit });
        return toConnection(page, rows, ({ name }) => name, presentTier);
      },

      tier: async (_context: AdminContext, name: string) => orNull(await store.getTier(name), presentTier),

      async rules(_context: AdminContext, args: PageArgs, filter: RuleFilterInput | undefined) {
        const page = toPage(args);
        const rows = await store.pageRules(toFilter(filter), { after: numberAfter(page, 0), limit: page.limit });
        return toConnection(page, rows, ({ id }) => id, presentRule);
      },

      async rule(context: AdminContext, { id, name }: { id?: string | null; name?: string | null }) {
        if ((id ?? null) === null) {
          if ((name ?? null) === null) throw badQuery('rule: expected an id or a name');
          return orNull(await store.getRuleByName(name ?? ''), presentRule);
        }
        return orNull(await loadersOf(context).rule.load(keyOf('Rule', id ?? '')), presentRule);
      },

      async subjects(_context: AdminContext, args: PageArgs, filter: SubjectFilterInput | undefined) {
        const page = toPage(args);
        const rows = await store.pageSubjects(toFilter(filter), { after: numberAfter(page, 0), limit: page.limit });
        return toConnection(page, rows, ({ id }) => id, presentSubject);
      },

      subject: async (_context: AdminContext, key: { user?: string | null; tenant?: string | null }) =>
        orNull(await store.getSubject(toFilter(key)), presentSubject),

      async quota(context: AdminContext, input: SubjectInput) {
        const known = await callerKnownAs(context, input);
        return known && toQuota(known, { loaders: loadersOf(context), quotaOf });
      },

      async changes(_context: AdminContext, args: PageArgs, filter: ChangeFilterInput | undefined) {
        const page = toPage(args);
        const before = numberAfter(page, Number.MAX_SAFE_INTEGER);
        const rows = await store.pageChanges(toFilter(filter), { before, limit: page.limit });
        return toConnection(page, rows, ({ number }) => number, presentChange);
      },

      async adminTokens(_context: AdminContext, args: PageArgs) {
        const page = toPage(args);
        const rows = await store.pageAdminTokens({ after: numberAfter(page, 0), limit: page.limit });
        return toConnection(page, rows, ({ id }) => id, presentAdminToken);
      },

      costExplain: async (_context: AdminContext, args: OperationArgs) => explainOf(operationOf(args)),

      async chargePreview(context: AdminContext, args: PreviewArgs) {
        const known = await callerKnownAs(context, args.as);
        if (!known) throw badQuery('as: this API key is unknown, revoked or expired');
        const preview = await previewOf({ ...operationOf(args), as: limitedSubject(known) });
        const limits = preview.limits.map((one) => ({ ...one, resetAt: new Date(one.resetAtMs) }));
        return { ...preview, limits, disabled: known.disabled };
      },

      async health(_context: AdminContext) {
        const { problems, rulesetVersion } = healthOf();
        // Whoever asks for health wants an answer, above all while the database is away.
        const latestChange = await store.latestChange().catch(() => null);
        const all = latestChange === null ? [...problems, 'the database does not answer'] : [...problems];
        return { ok: all.length === 0, latestChange, rulesetVersion, problems: all };
      },

      async liveTraffic(_context: AdminContext) {
        if (!watchTraffic) throw badQuery('liveTraffic: nothing is watched here');
        return watchTraffic();
      },

      async tierCreate({ actor }: AdminContext, input: TierCreateInput) {
        const outcome = await store.createTier(toPlain(input), actor);
        return { ...effectsOf(outcome), tier: orNull(objectOf(outcome), presentTier) };
      },

      async tierUpdate({ actor }: AdminContext, input: TierUpdateInput) {
        const outcome = await store.updateTier(toPlain(input), actor);
        return { ...effectsOf(outcome), tier: orNull(objectOf(outcome), presentTier) };
      },

      async tierRetire({ actor }: AdminContext, input: TierRetireInput) {
        const outcome = await store.retireTier(toPlain(input), actor);
        return { ...effectsOf(outcome), tier: orNull(objectOf(outcome), presentTier) };
      },

      async ruleCreate({ actor }: AdminContext, input: RuleCreateInput) {
        const outcome = await store.createRule(toPlain(input, RULE_OPTIONS), actor);
        return { ...effectsOf(outcome), rule: orNull(objectOf(outcome), presentRule) };
      },

      async ruleUpdate({ actor }: AdminContext, input: RuleUpdateInput) {
        const outcome = await store.updateRule({ ...toPlain<RuleUpdate>(input), id: keyOf('Rule', input.id) }, actor);
        return { ...effectsOf(outcome), rule: orNull(objectOf(outcome), presentRule) };
      },

      async ruleSetMode({ actor }: AdminContext, input: RuleSetModeInput) {
        const outcome = await store.updateRule({ ...toPlain<RuleUpdate>(input), id: keyOf('Rule', input.id) }, actor);
        return { ...effectsOf(outcome), rule: orNull(objectOf(outcome), presentRule) };
      },

      async ruleRetire({ actor }: AdminContext, input: RuleRetireInput) {
        const outcome = await store.retireRule(
          { ...toPlain<RuleReference>(input), id: keyOf('Rule', input.id) },
          actor,
        );
        return { ...effectsOf(outcome), rule: orNull(objectOf(outcome), presentRule) };
      },

      async ruleRestore({ actor }: AdminContext, input: RuleRestoreInput) {
        const outcome = await store.restoreRule(
          { ...toPlain<RuleReference & { toVersion?: number }>(input), id: keyOf('Rule', input.id) },
          actor,
        );
        return { ...effectsOf(outcome), rule: orNull(objectOf(outcome), presentRule) };
      },

      async subjectAssignTier({ actor }: AdminContext, input: SubjectAssignTierInput) {
        const outcome = await store.upsertSubject(toPlain(input, SUBJECT_OPTIONS), actor);
        return { ...effectsOf(outcome), subject: orNull(objectOf(outcome), presentSubject) };
      },

      async subjectSetOverride({ actor }: AdminContext, input: SubjectSetOverrideInput) {
        if (input.bucket === undefined) throw badQuery('bucket: expected a bucket, or null to give the tier’s back');
        const outcome = await store.setSubjectOverride(toPlain(input, SUBJECT_OPTIONS), actor);
        return { ...effectsOf(outcome), subject: orNull(objectOf(outcome), presentSubject) };
      },

      async subjectResetQuota(context: AdminContext, input: SubjectResetQuotaInput) {
        const outcome = await resetQuota(input, context);
        return { ...effectsOf(outcome), quota: objectOf(outcome) };
      },

      async subjectDisable({ actor }: AdminContext, input: SubjectDisableInput) {
        const outcome = await store.disableSubject(toPlain(input, SUBJECT_OPTIONS), actor);
        return { ...effectsOf(outcome), subject: orNull(objectOf(outcome), presentSubject) };
      },

      async apiKeyCreate({ actor }: AdminContext, input: ApiKeyCreateInput) {
        return keyPayload(await store.createApiKey(toPlain(input, SUBJECT_OPTIONS), actor));
      },

      async apiKeyRotate({ actor }: AdminContext, input: ApiKeyRotateInput) {
        return keyPayload(
          await store.rotateApiKey({ ...toPlain<{ id: number }>(input), id: numberOf('ApiKey', input.id) }, actor),
        );
      },

      async apiKeyRevoke({ actor }: AdminContext, input: ApiKeyRevokeInput) {
        return keyPayload(
          await store.revokeApiKey({ ...toPlain<{ id: number }>(input), id: numberOf('ApiKey', input.id) }, actor),
        );
      },

      async adminTokenCreate({ actor }: AdminContext, input: AdminTokenCreateInput) {
        return tokenPayload(await store.createAdminToken(toPlain(input), actor));
      },

      async adminTokenRevoke({ actor }: AdminContext, input: AdminTokenRevokeInput) {
        const reference = { ...toPlain<{ id: number }>(input), id: numberOf('AdminToken', input.id) };
        return tokenPayload(await store.revokeAdminToken(reference, actor));
      },

      async policySync({ actor }: AdminContext, input: PolicySyncInput) {
        const { document, mode, prune, comment } = input;
        const result = await store.syncPolicy({ document, prune, apply: mode === 'APPLY', comment }, actor);
        return { plan: result.plan ?? null, applied: result.applied, userErrors: result.userErrors };
      },
    },
    store,
  );
}

/** For `quota`, previews and prices. */
function operationOf({ query, variables, operationName }: OperationArgs) {
  return { query, variables: variables ?? {}, operationName: operationName ?? undefined };
}

function keyPayload(outcome: Outcome<CreatedApiKey>) {
  const made = objectOf(outcome);
  return { ...effectsOf(outcome), apiKey: orNull(made?.apiKey ?? null, presentApiKey), secret: made?.secret ?? null };
}

function tokenPayload(outcome: Outcome<CreatedAdminToken>) {
  const made = objectOf(outcome);
  const adminToken = orNull(made?.adminToken ?? null, presentAdminToken);
  return { ...effectsOf(outcome), adminToken, secret: made?.secret ?? null };
}

const RULE_OPTIONS = ['comment', 'idempotencyKey', 'description', 'response', 'match', 'action'];
const SUBJECT_OPTIONS = [
  'comment',
  'idempotencyKey',
  'expectedVersion',
  'expiresAt',
  'user',
  'tenant',
  'name',
  'scopes',
];
