import { Arg, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from 'type-graphql';
import { differencesOf } from '../../rules/policy/difference.js';
import type { AdminContext } from '../context/admin-context.js';
import type { AdminSources } from '../context/admin-sources.js';
import { Requires } from '../context/check-role.js';
import { Payload, presentDifference } from '../schema/change-input.js';

@InputType('SchemaRefreshInput', { description: 'Options of a schema refresh.' })
class SchemaRefreshInput {
  @Field(() => String, {
    nullable: true,
    description: 'Reason, stored with the change; up to 1000 characters.',
  })
  comment?: string | null;
}

@ObjectType('SchemaRefreshPayload', { description: 'Result of a schema refresh.' })
class SchemaRefreshPayload extends Payload {
  @Field(() => Boolean, { description: 'Whether the schema or the prices in force changed.' })
  isChanged!: boolean;
}

@Resolver()
export class SchemaRefreshResolver {
  constructor(private readonly sources: AdminSources) {}

  @Requires('OPERATOR')
  @Mutation(() => SchemaRefreshPayload, {
    description:
      'Reads the schema of the API and the file of prices again immediately, on the gateway that handles the request. An invalid schema or file does not come into force, and `userErrors` contains the reasons. Other gateways follow at their next regular check.',
  })
  async schemaRefresh(
    @Arg('input', () => SchemaRefreshInput, { nullable: true, description: 'The options. Default: no comment.' })
    input: SchemaRefreshInput | undefined,
    @Ctx() { actor }: AdminContext,
  ): Promise<SchemaRefreshPayload> {
    const { schemaSource } = this.sources;
    const comment = input?.comment ?? undefined;
    const userErrors = this.sources.store.findCommentMistakes(comment);
    if (!schemaSource) userErrors.push({ code: 'NOT_FOUND', field: [], message: NO_GATEWAY });
    if (!schemaSource || userErrors.length > 0) return { isChanged: false, differences: [], warnings: [], userErrors };
    const { change, warnings, problems } = await schemaSource.refresh({ actor, comment });
    const differences = change ? differencesOf(change.before, change.after, ['hash']) : [];
    return {
      isChanged: change !== undefined,
      differences: differences.map(presentDifference),
      warnings: [...warnings],
      userErrors: problems.map((message) => ({ code: 'INVALID', field: [], message })),
    };
  }
}

const NO_GATEWAY =
  'This process cannot read a schema again, because it is not a gateway. Send the request to a process of `tollgate gateway`';
