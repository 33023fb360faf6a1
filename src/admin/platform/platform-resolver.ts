import { Arg, Args, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { AdminContext } from '../admin-context.js';
import type { AdminService } from '../admin-service.js';
import {
  AdminTokenConnectionType,
  AdminTokenCreateInput,
  AdminTokenPayload,
  AdminTokenRevokeInput,
} from '../callers/admin-token-types.js';
import { HealthType, PolicySyncInput, PolicySyncPayload } from '../rules/policy-types.js';
import { ChangeConnectionType, ChangeFilterInput } from '../schema/change-types.js';
import { NodeType, PageArgs } from '../schema/connection.js';
import { ChargePreviewType, CostExplanationType, OperationArgs, PreviewArgs } from './preview-types.js';

/** What is about the platform as a whole. */
@Resolver()
export class PlatformResolver {
  constructor(private readonly service: AdminService) {}

  @Query(() => NodeType, { nullable: true, description: 'Whatever has this id; null when there is nothing.' })
  node(@Arg('id', () => ID, { description: 'As in `Node.id`.' }) id: string, @Ctx() context: AdminContext) {
    return this.service.node(context, id);
  }

  @Query(() => ChangeConnectionType, { description: 'Who changed what and who was denied what, newest first.' })
  changes(
    @Args(() => PageArgs) page: PageArgs,
    @Arg('filter', () => ChangeFilterInput, { nullable: true, description: 'Only these.' })
    filter: ChangeFilterInput | undefined,
    @Ctx() context: AdminContext,
  ) {
    return this.service.changes(context, page, filter);
  }

  @Query(() => AdminTokenConnectionType, { description: 'The tokens of administrators, oldest first. For admins.' })
  adminTokens(@Args(() => PageArgs) page: PageArgs, @Ctx() context: AdminContext) {
    return this.service.adminTokens(context, page);
  }

  @Query(() => CostExplanationType, {
    description:
      'What an operation of the protected API costs at most, and why: `costExplain(query: "{ countries { name } }") { cost fields { coordinate calls cost } }`.',
  })
  costExplain(@Args(() => OperationArgs) operation: OperationArgs, @Ctx() context: AdminContext) {
    return this.service.costExplain(context, operation);
  }

  @Query(() => ChargePreviewType, {
    description:
      'Which limits would decide on an operation now, what each would be charged, and what the end would be. Nothing is charged. `chargePreview(query: "{ countries { name } }", as: {user: "42"}) { verdict limits { rule cost remaining } }`.',
  })
  chargePreview(@Args(() => PreviewArgs) operation: PreviewArgs, @Ctx() context: AdminContext) {
    return this.service.chargePreview(context, operation);
  }

  @Query(() => HealthType, { description: 'Whether the platform works as it should.' })
  health(@Ctx() context: AdminContext) {
    return this.service.health(context);
  }

  @Mutation(() => PolicySyncPayload, { nullable: true, description: 'Makes tiers and rules what a document says.' })
  policySync(
    @Arg('input', () => PolicySyncInput, { description: 'The document, and how far to go.' }) input: PolicySyncInput,
    @Ctx() context: AdminContext,
  ) {
    return this.service.policySync(context, input);
  }

  @Mutation(() => AdminTokenPayload, { nullable: true, description: 'Makes a token. Its secret is shown this once.' })
  adminTokenCreate(
    @Arg('input', () => AdminTokenCreateInput, { description: 'For whom.' }) input: AdminTokenCreateInput,
    @Ctx() context: AdminContext,
  ) {
    return this.service.adminTokenCreate(context, input);
  }

  @Mutation(() => AdminTokenPayload, { nullable: true, description: 'Ends a token.' })
  adminTokenRevoke(
    @Arg('input', () => AdminTokenRevokeInput, { description: 'Which one.' }) input: AdminTokenRevokeInput,
    @Ctx() context: AdminContext,
  ) {
    return this.service.adminTokenRevoke(context, input);
  }
}
