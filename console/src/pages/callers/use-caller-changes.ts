import { serverNow } from '../../api/server-clock.js';
import { useChange } from '../../api/use-admin.js';
import {
  AssignTierDocument,
  DisableCallerDocument,
  OverrideCallerDocument,
  ResetQuotaDocument,
  SetBillingAnchorDocument,
  StoreCallerDocument,
} from '../../generated/graphql.js';
import { useToast } from '../../parts/feedback/toasts.js';
import { visibleText } from '../../parts/text/visible-text.js';
import { callersText } from '../../text/callers-text.js';
import { type Bucket, bucketText } from '../tiers/bucket-text.js';
import { problemsOf } from './problems-of.js';

const { toast: text } = callersText;

/** Stored data of a caller that its actions need. */
export interface StoredState {
  version: number;
  disabledAt?: string | null;
  tier?: { name: string } | null;
  override?: (Bucket & { expiresAt?: string | null }) | null;
  /** First day of a billing period, as `YYYY-MM-DD`. */
  billingAnchor?: string | null;
}

/** A user or a tenant, as the mutations identify them. */
export interface StoredName {
  user?: string;
  tenant?: string;
}

type Payload = { subject?: { version: number } | null; userErrors: { message: string }[] } | null | undefined;

/**
 * Returns functions that change a caller. Each resolves to the reason if the change failed. If it
 * succeeded, a toast reports it, with a button that undoes it if possible. Undoing fails if the
 * caller has changed again meanwhile.
 * @param stored stored data of the caller. Undefined: nothing is stored
 */
export function useCallerChanges(who: StoredName, stored: StoredState | undefined) {
  const showToast = useToast();
  const [assign, disable, override, anchor] = [
    useChange(AssignTierDocument),
    useChange(DisableCallerDocument),
    useChange(OverrideCallerDocument),
    useChange(SetBillingAnchorDocument),
  ];
  const [reset, store] = [useChange(ResetQuotaDocument), useChange(StoreCallerDocument)];
  const name = visibleText(who.user ?? who.tenant ?? '', 40);
  const versioned = { ...who, ...(stored && { expectedVersion: stored.version }) };

  type Versioned = typeof versioned;
  const assignTier = async (to: Versioned, tier: string | null) =>
    (await assign.mutateAsync({ input: { ...to, tier } })).subjectAssignTier;
  const setDisabled = async (to: Versioned, disabled: boolean) =>
    (await disable.mutateAsync({ input: { ...to, disabled } })).subjectDisable;
  const setAnchor = async (to: Versioned, billingAnchor: string | null) =>
    (await anchor.mutateAsync({ input: { ...to, billingAnchor } })).subjectSetBillingAnchor;
  const setOverride = async (to: Versioned, bucket: StoredState['override']) => {
    const { expiresAt, ...own } = bucket ?? {};
    const input = { ...to, bucket: bucket ? (own as Bucket) : null, ...(expiresAt && { expiresAt }) };
    return (await override.mutateAsync({ input })).subjectSetOverride;
  };
  // An expired custom limit has no effect, and the admin API rejects an expiry in the past.
  const lasting = stored?.override && isInFuture(stored.override.expiresAt) ? stored.override : null;

  async function run(
    change: () => Promise<Payload>,
    done: string,
    undo?: (to: Versioned) => Promise<Payload>,
  ): Promise<string | undefined> {
    let payload: Payload;
    const problem = await problemsOf(async () => {
      payload = await change();
      return { payload };
    });
    if (problem !== undefined) return problem;
    const version = payload?.subject?.version;
    const changed = { ...who, ...(version !== undefined && { expectedVersion: version }) };
    showToast({ text: done, ...(undo && { undo: () => problemsOf(async () => ({ payload: await undo(changed) })) }) });
    return undefined;
  }

  return {
    isPending: [assign, disable, override, anchor, reset, store].some(({ isPending }) => isPending),
    /** Assigns a tier. Null removes it, so that the tier of the tenant or the default applies. */
    changeTier: (tier: string | null, label: string) =>
      run(
        () => assignTier(versioned, tier),
        text.tierChanged(name, label),
        (to) => assignTier(to, stored?.tier?.name ?? null),
      ),
    block: (disabled: boolean) =>
      run(
        () => setDisabled(versioned, disabled),
        (disabled ? text.blocked : text.unblocked)(name),
        (to) => setDisabled(to, !disabled),
      ),
    /**
     * Sets a custom limit, with the expiry of the previous one. Null restores the tier's bucket.
     */
    limit: (bucket: Bucket | null) =>
      run(
        () => setOverride(versioned, bucket && { ...bucket, expiresAt: lasting?.expiresAt ?? null }),
        bucket ? text.limitSet(name, bucketText(bucket)) : text.limitRemoved(name),
        (to) => setOverride(to, lasting),
      ),
    /** Sets the first day of a billing period, as `YYYY-MM-DD`. Null removes it. */
    billing: (day: string | null) =>
      run(
        () => setAnchor(versioned, day),
        day === null ? text.anchorRemoved(name) : text.anchorSet(name, day),
        (to) => setAnchor(to, stored?.billingAnchor ?? null),
      ),
    resetQuota: () =>
      run(async () => (await reset.mutateAsync({ input: who })).subjectResetQuota, text.quotaReset(name)),
    create: (tier: string | null) =>
      run(
        async () => (await store.mutateAsync({ input: { ...who, ...(tier !== null && { tier }) } })).subjectCreate,
        text.created(name),
      ),
  };
}

function isInFuture(expiresAt: string | null | undefined): boolean {
  return !expiresAt || Date.parse(expiresAt) > serverNow();
}
