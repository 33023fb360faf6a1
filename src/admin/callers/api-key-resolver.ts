import { Arg, Args, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import type { AdminContext } from '../admin-context.js';
import type { AdminService } from '../admin-service.js';
import { orNull, presentSubject } from '../present.js';
import { ChangeConnectionType } from '../schema/change-types.js';
import { PageArgs } from '../schema/connection.js';
import { historyPage } from '../schema/history.js';
import {
  ApiKeyCreateInput,
  ApiKeyPayload,
  ApiKeyRevokeInput,
  ApiKeyRotateInput,
  ApiKeyType,
  SubjectType,
} from './subject-types.js';

@Resolver(() => ApiKeyType)
export class ApiKeyResolver {
  constructor(private readonly service: AdminService) {}

  @FieldResolver(() => SubjectType, { nullable: true, description: 'The user or tenant that the key stands for.' })
  async holder(@Root() { subjectId }: ApiKeyType, @Ctx() { loaders }: AdminContext) {
    return orNull(await loaders.subject.load(subjectId), presentSubject);
  }

  @FieldResolver(() => ChangeConnectionType, { description: 'Who made and who ended it, newest first.' })
  history(@Root() { prefix }: ApiKeyType, @Args(() => PageArgs) page: PageArgs, @Ctx() { loaders }: AdminContext) {
    return historyPage(loaders, 'API_KEY', prefix, page);
  }

  @Mutation(() => ApiKeyPayload, { nullable: true, description: 'Makes a key. Its secret is shown this once.' })
  apiKeyCreate(
    @Arg('input', () => ApiKeyCreateInput, { description: 'Whose key.' }) input: ApiKeyCreateInput,
    @Ctx() context: AdminContext,
  ) {
    return this.service.apiKeyCreate(context, input);
  }

  @Mutation(() => ApiKeyPayload, { nullable: true, description: 'Makes a new key in place of an old one.' })
  apiKeyRotate(
    @Arg('input', () => ApiKeyRotateInput, { description: 'Which key.' }) input: ApiKeyRotateInput,
    @Ctx() context: AdminContext,
  ) {
    return this.service.apiKeyRotate(context, input);
  }

  @Mutation(() => ApiKeyPayload, { nullable: true, description: 'Ends a key everywhere within two seconds.' })
  apiKeyRevoke(
    @Arg('input', () => ApiKeyRevokeInput, { description: 'Which key.' }) input: ApiKeyRevokeInput,
    @Ctx() context: AdminContext,
  ) {
    return this.service.apiKeyRevoke(context, input);
  }
}
