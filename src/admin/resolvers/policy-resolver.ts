import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { PolicySync } from '../../rules/store/policy-sync.js';
import type { AdminContext } from '../context/admin-context.js';
import type { AdminSources } from '../context/admin-sources.js';
import { Requires } from '../context/check-role.js';
import { presentDifference, toPlain } from '../schema/change-input.js';
import { PolicySyncInput, PolicySyncPayload } from '../types/policy-sync-payload.js';

@Resolver()
export class PolicyResolver {
  constructor(private readonly sources: AdminSources) {}

  @Requires('ADMIN')
  @Mutation(() => PolicySyncPayload, { nullable: true, description: 'Changes tiers and rules to match a document.' })
  async policySync(
    @Arg('input', () => PolicySyncInput, {
      description: 'The document, and whether to retire objects that it does not name.',
    })
    input: PolicySyncInput,
    @Ctx() { actor }: AdminContext,
  ) {
    const { dryRun, ...sync } = toPlain<PolicySync & { dryRun: boolean }>(input);
    const surroundings = await this.sources.surroundings?.();
    const { plan, applied, version, userErrors } = await this.sources.store.syncPolicy(
      { ...sync, apply: !dryRun, surroundings },
      actor,
    );
    const steps = plan?.steps.map((step) => ({ ...step, differences: step.differences.map(presentDifference) })) ?? [];
    return { plan: plan ? { ...plan, steps } : null, applied, version, userErrors };
  }
}
