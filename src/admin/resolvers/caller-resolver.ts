import type { GraphQLResolveInfo } from 'graphql';
import { Ctx, FieldResolver, Info, Resolver, Root } from 'type-graphql';
import type { AdminContext } from '../context/admin-context.js';
import { orNull, presentSubject } from '../context/present-change.js';
import { badQuery } from '../schema/to-client-error.js';
import { CallerType } from '../types/caller-type.js';
import { SubjectType } from '../types/subject-type.js';

@Resolver(() => CallerType)
export class CallerResolver {
  @FieldResolver(() => SubjectType, {
    nullable: true,
    description: 'The stored user, or else the stored tenant; null if none is stored. Not available in subscriptions.',
  })
  async subject(
    @Root() { kind, user, tenant }: CallerType,
    @Ctx() { loaders }: AdminContext,
    @Info() info: GraphQLResolveInfo,
  ) {
    // A stream is charged once, when it opens. Its samples must not query the database.
    if (info.operation.operation === 'subscription') {
      throw badQuery('subject: subscriptions cannot select it; use the query `subject(user, tenant)`');
    }
    if (kind === 'OTHER' || (user === null && tenant === null)) return null;
    return orNull(await loaders.subjectOf.load({ user, tenant }), presentSubject);
  }
}
