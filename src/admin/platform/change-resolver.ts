import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { AdminContext } from '../admin-context.js';
import {
  orNull,
  presentAdminToken,
  presentApiKey,
  presentConsoleSession,
  presentRule,
  presentSubject,
  presentTier,
} from '../present.js';
import { mayDo } from '../roles.js';
import { ChangeType } from '../schema/change-types.js';
import { NodeType } from '../schema/connection.js';

@Resolver(() => ChangeType)
export class ChangeResolver {
  @FieldResolver(() => NodeType, {
    nullable: true,
    description: 'The object as it is now; null: it is gone, or it is not for your role.',
  })
  async node(@Root() { entity, key }: ChangeType, @Ctx() { loaders, role }: AdminContext): Promise<object | null> {
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
        if (!mayDo(role, 'ADMIN')) return null;
        return named('AdminToken', orNull(await loaders.adminToken.load(number), presentAdminToken));
      case 'SESSION':
        if (!mayDo(role, 'ADMIN')) return null;
        return named('ConsoleSession', orNull(await loaders.consoleSession.load(number), presentConsoleSession));
      case 'ACCESS':
      case 'SCHEMA':
        return null;
    }
  }
}
