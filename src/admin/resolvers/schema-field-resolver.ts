import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import type { AdminContext } from '../context/admin-context.js';
import { presentRule } from '../context/present-change.js';
import { RuleType } from '../types/rule-type.js';
import { SchemaFieldType } from '../types/schema-field-type.js';

/** Rules on a field. A list of fields is resolved with one statement. */
@Resolver(() => SchemaFieldType)
export class SchemaFieldResolver {
  @FieldResolver(() => [RuleType], {
    description:
      'The rules in use whose pattern names the field, its type or its name: `Query.search`, `Query.*` or `*.search`. Rules for `*` are not included. Maximum: 10 stored rules for each pattern.',
  })
  async rules(@Root() { coordinate }: SchemaFieldType, @Ctx() { loaders }: AdminContext): Promise<RuleType[]> {
    return (await loaders.rulesOfField.load(coordinate)).map(presentRule);
  }
}
