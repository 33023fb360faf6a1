import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { AdminRole } from '../../rules/store/create-admin-token-store.js';
import type { AdminContext } from '../context/admin-context.js';
import { mayDo } from '../context/check-role.js';
import {
  orNull,
  presentAdminToken,
  presentApiKey,
  presentConsoleSession,
  presentRule,
  presentSubject,
  presentTier,
} from '../context/present-change.js';
import { DifferenceType } from '../schema/change-input.js';
import { ChangeType } from '../schema/change-type.js';
import { NodeType } from '../schema/connection.js';
import { JsonScalar } from '../schema/json-scalar.js';

const OF_ADMINS = 'For changes of admin tokens and of console sessions: null without the role ADMIN';

// These resolvers check the role for all paths by which a query can reach a change.
@Resolver(() => ChangeType)
export class ChangeResolver {
  @FieldResolver(() => JsonScalar, {
    nullable: true,
    description: `The complete object before the change; null if it did not exist. ${OF_ADMINS}.`,
  })
  before(@Root() change: ChangeType, @Ctx() { role }: AdminContext): Record<string, unknown> | null {
    return maySee(change, role) ? change.before : null;
  }

  @FieldResolver(() => JsonScalar, {
    nullable: true,
    description: `The complete object after the change; null if it was deleted. ${OF_ADMINS}.`,
  })
  after(@Root() change: ChangeType, @Ctx() { role }: AdminContext): Record<string, unknown> | null {
    return maySee(change, role) ? change.after : null;
  }

  @FieldResolver(() => [DifferenceType], { nullable: true, description: `The changed members. ${OF_ADMINS}.` })
  differences(@Root() change: ChangeType, @Ctx() { role }: AdminContext): DifferenceType[] | null {
    return maySee(change, role) ? change.differences : null;
  }

  @FieldResolver(() => NodeType, {
    nullable: true,
    description: 'The current object; null if it no longer exists or your role may not read it.',
  })
  async node(@Root() { entity, key }: ChangeType, @Ctx() { loaders, role }: AdminContext): Promise<object | null> {
    if (!maySee({ entity }, role)) return null;
    const named = <Shown extends object>(__typename: string, shown: Shown | null) => shown && { __typename, ...shown };
    const number = /^[1-9]\d{0,15}$/.test(key) ? Number(key) : 0;
    switch (entity) {
      case 'TIER':
        return named('Tier', orNull(await loaders.tier.load(key), presentTier));
      case 'RULE':
        return named('Rule', orNull(await loaders.rule.load(key), presentRule));
      case 'SUBJECT':
        return named('Subject', orNull(await loaders.subject.load(number), presentSubject));
      case 'API_KEY':
        return named('ApiKey', orNull(await loaders.apiKeyByPrefix.load(key), presentApiKey));
      case 'ADMIN_TOKEN':
        return named('AdminToken', orNull(await loaders.adminToken.load(number), presentAdminToken));
      case 'SESSION':
        return named('ConsoleSession', orNull(await loaders.consoleSession.load(number), presentConsoleSession));
      case 'ACCESS':
      case 'SCHEMA':
      case 'DOCUMENTS':
        return null;
    }
  }
}

/**
 * Returns whether a role may see the object. Objects that concern administrators are only for roles
 * that may list them.
 */
function maySee({ entity }: Pick<ChangeType, 'entity'>, role: AdminRole): boolean {
  return (entity !== 'ADMIN_TOKEN' && entity !== 'SESSION') || mayDo(role, 'ADMIN');
}
