import { Arg, Args, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import type { CreatedApiKey } from '../../rules/store/api-keys.js';
import type { AdminContext } from '../admin-context.js';
import type { AdminSources } from '../admin-sources.js';
import { orNull, presentApiKey, presentSubject } from '../present.js';
import { Requires } from '../roles.js';
import { toPayload, toPlain } from '../schema/change.js';
import { ChangeConnectionType } from '../schema/change-types.js';
import { PageArgs } from '../schema/connection.js';
import { numberOf } from '../schema/global-id.js';
import { historyPage } from '../schema/history.js';
import {
  ApiKeyCreateInput,
  ApiKeyPayload,
  ApiKeyRevokeInput,
  ApiKeyRotateInput,
  ApiKeyType,
  OPTIONAL_OF_CALLERS,
  SubjectType,
} from './subject-types.js';

const SHOWN = {
  apiKey: ({ apiKey }: CreatedApiKey) => presentApiKey(apiKey),
  secret: ({ secret }: CreatedApiKey) => secret,
};

@Resolver(() => ApiKeyType)
export class ApiKeyResolver {
  constructor(private readonly sources: AdminSources) {}

  @FieldResolver(() => SubjectType, { nullable: true, description: 'The user or tenant that the key stands for.' })
  async holder(@Root() { subjectId }: ApiKeyType, @Ctx() { loaders }: AdminContext) {
    return orNull(await loaders.subject.load(subjectId), presentSubject);
  }

  @FieldResolver(() => ChangeConnectionType, { description: 'Who made and who ended it, newest first.' })
  history(@Root() { prefix }: ApiKeyType, @Args(() => PageArgs) page: PageArgs, @Ctx() { loaders }: AdminContext) {
    return historyPage(loaders, 'API_KEY', prefix, page);
  }

  @Requires('OPERATOR')
  @Mutation(() => ApiKeyPayload, { nullable: true, description: 'Makes a key. Its secret is shown this once.' })
  async apiKeyCreate(
    @Arg('input', () => ApiKeyCreateInput, { description: 'The holder of the new key, and what it is for.' })
    input: ApiKeyCreateInput,
    @Ctx() { actor }: AdminContext,
  ) {
    return toPayload(await this.sources.store.createApiKey(toPlain(input, OPTIONAL_OF_CALLERS), actor), SHOWN);
  }

  @Requires('OPERATOR')
  @Mutation(() => ApiKeyPayload, { nullable: true, description: 'Makes a new key in place of an old one.' })
  async apiKeyRotate(
    @Arg('input', () => ApiKeyRotateInput, { description: 'The old key, and how long it stays good.' })
    input: ApiKeyRotateInput,
    @Ctx() { actor }: AdminContext,
  ) {
    const reference = { ...input, id: numberOf('ApiKey', input.id) };
    return toPayload(await this.sources.store.rotateApiKey(toPlain(reference), actor), SHOWN);
  }

  @Requires('OPERATOR')
  @Mutation(() => ApiKeyPayload, { nullable: true, description: 'Ends a key everywhere within two seconds.' })
  async apiKeyRevoke(
    @Arg('input', () => ApiKeyRevokeInput, { description: 'The key to end.' }) input: ApiKeyRevokeInput,
    @Ctx() { actor }: AdminContext,
  ) {
    const reference = { ...input, id: numberOf('ApiKey', input.id) };
    return toPayload(await this.sources.store.revokeApiKey(toPlain(reference), actor), SHOWN);
  }
}
