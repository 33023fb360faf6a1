import { Arg, Args, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import type { KnownFields } from '../../rules/matching/known-fields.js';
import type { ApiKeyCreate, ApiKeyUpdate, CreatedApiKey } from '../../rules/store/create-api-key-store.js';
import { type Outcome, rejected, type UserError } from '../../rules/store/outcome.js';
import type { AdminContext } from '../context/admin-context.js';
import type { AdminSources } from '../context/admin-sources.js';
import { Requires } from '../context/check-role.js';
import { historyPage } from '../context/history-page.js';
import { orNull, presentApiKey, presentSubject } from '../context/present-change.js';
import { toPayload, toPlain } from '../schema/change-input.js';
import { ChangeConnectionType } from '../schema/change-type.js';
import { PageArgs } from '../schema/connection.js';
import { numberOf } from '../schema/to-global-id.js';
import {
  type ApiKeyChangeInput,
  ApiKeyCreateInput,
  ApiKeyPayload,
  ApiKeyRevokeInput,
  ApiKeyRotateInput,
  ApiKeyType,
  ApiKeyUpdateInput,
} from '../types/api-key-type.js';
import { OPTIONAL_OF_CALLERS, SubjectType } from '../types/subject-type.js';

const SHOWN = {
  apiKey: ({ apiKey }: CreatedApiKey) => presentApiKey(apiKey),
  secret: ({ secret }: CreatedApiKey) => secret,
};

@Resolver(() => ApiKeyType)
export class ApiKeyResolver {
  constructor(private readonly sources: AdminSources) {}

  @FieldResolver(() => SubjectType, { nullable: true, description: 'The user or tenant that holds the key.' })
  async holder(@Root() { subjectId }: ApiKeyType, @Ctx() { loaders }: AdminContext) {
    return orNull(await loaders.subject.load(subjectId), presentSubject);
  }

  @FieldResolver(() => ChangeConnectionType, { description: 'The changes of the key, newest first.' })
  history(@Root() { prefix }: ApiKeyType, @Args(() => PageArgs) page: PageArgs, @Ctx() { loaders }: AdminContext) {
    return historyPage(loaders, 'API_KEY', prefix, page);
  }

  @Requires('OPERATOR')
  @Mutation(() => ApiKeyPayload, { nullable: true, description: 'Creates an API key. Its secret is shown only once.' })
  async apiKeyCreate(
    @Arg('input', () => ApiKeyCreateInput, { description: 'The holder of the new key, and its scopes.' })
    input: ApiKeyCreateInput,
    @Ctx() { actor }: AdminContext,
  ) {
    const plain = toPlain<ApiKeyCreate>(input, [...OPTIONAL_OF_CALLERS, 'budget', 'fields']);
    return toPayload(await this.sources.store.createApiKey(plain, actor, await this.knownFields()), SHOWN);
  }

  @Requires('OPERATOR')
  @Mutation(() => ApiKeyPayload, {
    nullable: true,
    description: 'Changes an API key. The change is in force everywhere within two seconds.',
  })
  async apiKeyUpdate(
    @Arg('input', () => ApiKeyUpdateInput, { description: 'The API key, and the members to change.' })
    input: ApiKeyUpdateInput,
    @Ctx() { actor }: AdminContext,
  ) {
    const optional = ['comment', 'expectedVersion', 'name', 'kind', 'scopes'];
    const known = await this.knownFields();
    return this.change(input, (reference) =>
      this.sources.store.updateApiKey(toPlain<ApiKeyUpdate>(reference, optional), actor, known),
    );
  }

  @Requires('OPERATOR')
  @Mutation(() => ApiKeyPayload, { nullable: true, description: 'Replaces an API key with a new one.' })
  async apiKeyRotate(
    @Arg('input', () => ApiKeyRotateInput, { description: 'The old key, and the time for which it stays valid.' })
    input: ApiKeyRotateInput,
    @Ctx() { actor }: AdminContext,
  ) {
    return this.change(input, (reference) => this.sources.store.rotateApiKey(toPlain(reference, OPTIONAL), actor));
  }

  @Requires('OPERATOR')
  @Mutation(() => ApiKeyPayload, {
    nullable: true,
    description: 'Revokes an API key. It becomes invalid everywhere within two seconds.',
  })
  async apiKeyRevoke(
    @Arg('input', () => ApiKeyRevokeInput, { description: 'The API key to revoke.' }) input: ApiKeyRevokeInput,
    @Ctx() { actor }: AdminContext,
  ) {
    return this.change(input, (reference) => this.sources.store.revokeApiKey(toPlain(reference, OPTIONAL), actor));
  }

  private async knownFields(): Promise<KnownFields | undefined> {
    return (await this.sources.surroundings?.())?.fields;
  }

  /** Applies a change to the key that the input identifies by its id or prefix. */
  private async change<Input extends Pick<ApiKeyChangeInput, 'id' | 'prefix'>>(
    { id, prefix, ...input }: Input,
    make: (reference: Omit<Input, 'id' | 'prefix'> & { id: number }) => Promise<Outcome<CreatedApiKey>>,
  ) {
    const given = [id, prefix].filter((one) => (one ?? null) !== null);
    if (given.length !== 1) return toPayload(rejected<CreatedApiKey>([oneOfBoth()]), SHOWN);
    if ((id ?? null) !== null) return toPayload(await make({ ...input, id: numberOf('ApiKey', id!) }), SHOWN);
    const [found] = await this.sources.store.apiKeysByPrefix([prefix!]);
    return toPayload(found ? await make({ ...input, id: found.id }) : rejected<CreatedApiKey>([noSuchPrefix()]), SHOWN);
  }
}

const OPTIONAL = ['comment', 'overlapMs'];

function oneOfBoth(): UserError {
  return { code: 'INVALID', field: [], message: 'expected either the id or the prefix of an API key' };
}

function noSuchPrefix(): UserError {
  return { code: 'NOT_FOUND', field: ['prefix'], message: 'there is no API key with this prefix' };
}
