import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { AdminContext } from '../admin-context.js';
import type { AdminSources } from '../admin-sources.js';
import { Requires } from '../roles.js';
import { PolicySyncInput, PolicySyncPayload } from './policy-types.js';

@Resolver()
export class PolicyResolver {
  constructor(private readonly sources: AdminSources) {}

  @Requires('ADMIN')
  @Mutation(() => PolicySyncPayload, { nullable: true, description: 'Makes tiers and rules what a document says.' })
  async policySync(
    @Arg('input', () => PolicySyncInput, { description: 'The document, and how far to go.' }) input: PolicySyncInput,
    @Ctx() { actor }: AdminContext,
  ) {
    const { document, mode, prune, comment } = input;
    const result = await this.sources.store.syncPolicy({ document, prune, apply: mode === 'APPLY', comment }, actor);
    return { plan: result.plan ?? null, applied: result.applied, userErrors: result.userErrors };
  }
}
