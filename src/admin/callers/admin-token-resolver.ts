import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { CreatedAdminToken } from '../../rules/store/admin-tokens.js';
import type { AdminContext } from '../admin-context.js';
import type { AdminSources } from '../admin-sources.js';
import { presentAdminToken } from '../present.js';
import { Requires } from '../roles.js';
import { toPayload, toPlain } from '../schema/change.js';
import { numberAfter, PageArgs, toConnection, toPage } from '../schema/connection.js';
import { numberOf } from '../schema/global-id.js';
import {
  AdminTokenConnectionType,
  AdminTokenCreateInput,
  AdminTokenPayload,
  AdminTokenRevokeInput,
} from './admin-token-types.js';

const SHOWN = {
  adminToken: ({ adminToken }: CreatedAdminToken) => presentAdminToken(adminToken),
  secret: ({ secret }: CreatedAdminToken) => secret,
};

@Resolver()
export class AdminTokenResolver {
  constructor(private readonly sources: AdminSources) {}

  @Requires('ADMIN')
  @Query(() => AdminTokenConnectionType, { description: 'The tokens of administrators, oldest first. For admins.' })
  async adminTokens(@Args(() => PageArgs) args: PageArgs) {
    const page = toPage(args);
    const rows = await this.sources.store.pageAdminTokens({ after: numberAfter(page, 0), limit: page.limit });
    return toConnection(page, rows, ({ id }) => id, presentAdminToken);
  }

  @Requires('ADMIN')
  @Mutation(() => AdminTokenPayload, { nullable: true, description: 'Makes a token. Its secret is shown this once.' })
  async adminTokenCreate(
    @Arg('input', () => AdminTokenCreateInput, { description: 'Who will hold the token, and with which role.' })
    input: AdminTokenCreateInput,
    @Ctx() { actor }: AdminContext,
  ) {
    return toPayload(await this.sources.store.createAdminToken(toPlain(input), actor), SHOWN);
  }

  @Requires('ADMIN')
  @Mutation(() => AdminTokenPayload, { nullable: true, description: 'Ends a token.' })
  async adminTokenRevoke(
    @Arg('input', () => AdminTokenRevokeInput, { description: 'The token to end.' }) input: AdminTokenRevokeInput,
    @Ctx() { actor }: AdminContext,
  ) {
    const reference = { ...input, id: numberOf('AdminToken', input.id) };
    return toPayload(await this.sources.store.revokeAdminToken(toPlain(reference), actor), SHOWN);
  }
}
