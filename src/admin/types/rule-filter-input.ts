import { Field, InputType } from 'type-graphql';
import type { DocumentKind, Rule } from '../../model/rule.js';
import type { CallerKind, Scope } from '../../model/subject.js';
import { CallerKinds, DocumentKinds, Modes, Scopes } from '../schema/enums.js';

@InputType('RuleFilter', { description: 'Conditions for rules. A rule must meet all of them.' })
export class RuleFilterInput {
  @Field(() => Boolean, { defaultValue: false, description: 'Whether to list retired rules instead of rules in use.' })
  retired?: boolean;

  @Field(() => Modes, { nullable: true, description: 'Only rules in this mode.' })
  mode?: Rule['mode'] | null;

  @Field(() => Scopes, { nullable: true, description: 'Only rules with this scope.' })
  scope?: Scope | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only rules with exactly this field pattern, alone or among others.',
  })
  field?: string | null;

  @Field(() => String, { nullable: true, description: 'Only rules whose `match.tiers` contains this tier.' })
  tier?: string | null;

  @Field(() => CallerKinds, { nullable: true, description: 'Only rules with this value of `match.callers`.' })
  callers?: CallerKind | null;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether to list only rules for agents (true), or only other rules (false). Default: both.',
  })
  agents?: boolean | null;

  @Field(() => String, { nullable: true, description: 'Only rules whose `match.users` includes this user.' })
  user?: string | null;

  @Field(() => String, { nullable: true, description: 'Only rules whose `match.tenants` includes this tenant.' })
  tenant?: string | null;

  @Field(() => String, { nullable: true, description: 'Only rules whose `match.keys` includes this prefix of a key.' })
  key?: string | null;

  @Field(() => DocumentKinds, { nullable: true, description: 'Only rules with this value of `match.document`.' })
  document?: DocumentKind | null;

  @Field(() => String, { nullable: true, description: 'Only rules whose `match.apps` includes this app.' })
  app?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Only rules whose name contains this text, in upper or lower case.',
  })
  nameContains?: string | null;
}
