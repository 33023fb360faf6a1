import { Arg, Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { AdminTokenRotate, CreatedAdminToken } from '../../rules/store/create-admin-token-store.js';
import type { AdminContext } from '../context/admin-context.js';
import type { AdminSources } from '../context/admin-sources.js';
import { Requires } from '../context/check-role.js';
import { presentAdminToken } from '../context/present-change.js';
import { toPayload, toPlain } from '../schema/change-input.js';
import { MAX_TOTAL, numberAfter, PageArgs, toConnection, toPage } from '../schema/connection.js';
import { numberOf } from '../schema/to-global-id.js';
import {
  AdminTokenConnectionType,
  AdminTokenCreateInput,
  AdminTokenPayload,
  AdminTokenRevokeInput,
  AdminTokenRotateInput,
} from '../types/admin-token-type.js';

const SHOWN = {
  adminToken: ({ adminToken }: CreatedAdminToken) => presentAdminToken(adminToken),
  secret: ({ secret }: CreatedAdminToken) => secret,
};

@Resolver()
export class AdminTokenResolver {
  constructor(private readonly sources: AdminSources) {}

  @Requires('ADMIN')
  @Query(() => AdminTokenConnectionType, {
    description: 'The admin tokens, oldest first. Requires the role ADMIN.',
  })
  async adminTokens(@Args(() => PageArgs) args: PageArgs) {
    const page = toPage(args);
    const rows = await this.sources.store.pageAdminTokens({ after: numberAfter(page, 0), limit: page.limit });
    const all = { after: 0, limit: MAX_TOTAL };
    const count = () => this.sources.store.count((pages) => pages.pageAdminTokens(all));
    return toConnection(page, rows, ({ id }) => id, presentAdminToken, count);
  }

  @Requires('ADMIN')
  @Mutation(() => AdminTokenPayload, { nullable: true, description: 'Creates a token. Its secret is shown only once.' })
  async adminTokenCreate(
    @Arg('input', () => AdminTokenCreateInput, { description: 'The holder of the token, and the role.' })
    input: AdminTokenCreateInput,
    @Ctx() { actor }: AdminContext,
  ) {
    return toPayload(await this.sources.store.createAdminToken(toPlain(input), actor), SHOWN);
  }

  @Requires('ADMIN')
  @Mutation(() => AdminTokenPayload, {
    nullable: true,
    description: 'Replaces a token with a new one. The old token ends immediately or after `overlapMs`.',
  })
  async adminTokenRotate(
    @Arg('input', () => AdminTokenRotateInput, { description: 'The old token, and the time for which it stays valid.' })
    input: AdminTokenRotateInput,
    @Ctx() { actor }: AdminContext,
  ) {
    return toPayload(await this.sources.store.rotateAdminToken(withNumber(input), actor), SHOWN);
  }

  @Requires('ADMIN')
  @Mutation(() => AdminTokenPayload, { nullable: true, description: 'Revokes an admin token.' })
  async adminTokenRevoke(
    @Arg('input', () => AdminTokenRevokeInput, { description: 'The token to revoke.' }) input: AdminTokenRevokeInput,
    @Ctx() { actor }: AdminContext,
  ) {
    return toPayload(await this.sources.store.revokeAdminToken(withNumber(input), actor), SHOWN);
  }
}

const OPTIONAL = ['comment', 'id', 'name', 'overlapMs', 'expiresAt'];

/** Replaces the global id in the input by the id in the store, and removes missing members. */
function withNumber({ id, ...input }: AdminTokenRotateInput | AdminTokenRevokeInput): AdminTokenRotate {
  const plain = toPlain<AdminTokenRotate>(input, OPTIONAL);
  return (id ?? null) === null ? plain : { ...plain, id: numberOf('AdminToken', id!) };
}
