import { Field, InputType, Int, ObjectType } from 'type-graphql';
import type { DocumentKind, OperationType, Rule } from '../../model/rule.js';
import type { CallerKind, CredentialKind } from '../../model/subject.js';
import { Actions, CallerKinds, CredentialKinds, DocumentKinds, OperationTypes } from '../schema/enums.js';

const CALLERS = 'Whether the rule applies to anonymous or to identified callers only.';
const CREDENTIALS = 'Kinds of credentials by which callers are identified.';
const AGENTS =
  'Whether the rule applies to agents only: keys of the kind `AGENT`, and clients whose names are in `agentClients`.';
const DOCUMENT = 'Whether the rule applies to registered documents only, or to all others only.';
const PREFIXES = 'A trailing `*` matches all names that begin with the text before it.';

@ObjectType('RuleMatch', {
  description: 'Conditions on the operations and callers that a rule applies to. An empty list matches all.',
})
export class RuleMatchType {
  @Field(() => [String], { description: 'Names of tiers.' })
  tiers!: readonly string[];

  @Field(() => [OperationTypes], { description: 'Types of operations.' })
  operationTypes!: readonly OperationType[];

  @Field(() => [String], { description: 'Names of operations, from their documents.' })
  operationNames!: readonly string[];

  @Field(() => [String], { description: 'Names of clients, from the header `apollographql-client-name`.' })
  clients!: readonly string[];

  @Field(() => [String], { description: 'Addresses and CIDR blocks.' })
  addresses!: readonly string[];

  @Field(() => CallerKinds, { nullable: true, description: `${CALLERS} Null: all callers.` })
  callers?: CallerKind;

  @Field(() => [CredentialKinds], { nullable: true, description: `${CREDENTIALS} Null: all.` })
  credentials?: readonly CredentialKind[];

  @Field(() => [String], { nullable: true, description: `Ids of users. ${PREFIXES} Null: all callers.` })
  users?: readonly string[];

  @Field(() => [String], { nullable: true, description: `Ids of tenants. ${PREFIXES} Null: all callers.` })
  tenants?: readonly string[];

  @Field(() => [String], { nullable: true, description: `Prefixes of API keys. ${PREFIXES} Null: all callers.` })
  keys?: readonly string[];

  @Field(() => Boolean, { nullable: true, description: `${AGENTS} Null: to all callers.` })
  agents?: true;

  @Field(() => DocumentKinds, { nullable: true, description: `${DOCUMENT} Null: all documents.` })
  document?: DocumentKind;

  @Field(() => [String], {
    nullable: true,
    description: `Names of apps that have registered the document. ${PREFIXES} Null: all documents.`,
  })
  apps?: readonly string[];

  @Field(() => [String], {
    nullable: true,
    description: `Versions of apps that have registered the document. ${PREFIXES} Null: all documents.`,
  })
  appVersions?: readonly string[];
}

@InputType('RuleMatchInput', {
  description: 'Conditions on the operations and callers that a rule applies to. An omitted list matches all.',
})
export class RuleMatchInput {
  @Field(() => [String], { nullable: true, description: 'Names of tiers: `["free"]`.' })
  tiers?: string[];

  @Field(() => [OperationTypes], { nullable: true, description: 'Types of operations: `[MUTATION]`.' })
  operationTypes?: OperationType[];

  @Field(() => [String], {
    nullable: true,
    description: 'Names of operations. Clients choose these names, so they give no protection.',
  })
  operationNames?: string[];

  @Field(() => [String], {
    nullable: true,
    description: 'Names of clients. Clients choose these names, so they give no protection.',
  })
  clients?: string[];

  @Field(() => [String], {
    nullable: true,
    description: 'Addresses and CIDR blocks: `["10.0.0.0/8", "2001:db8::/32", "192.0.2.7"]`.',
  })
  addresses?: string[];

  @Field(() => CallerKinds, { nullable: true, description: CALLERS })
  callers?: CallerKind;

  @Field(() => [CredentialKinds], { nullable: true, description: `${CREDENTIALS} Not empty: \`[KEY]\`.` })
  credentials?: CredentialKind[];

  @Field(() => [String], { nullable: true, description: `Ids of users: \`["ann", "test-*"]\`. ${PREFIXES} Not empty.` })
  users?: string[];

  @Field(() => [String], { nullable: true, description: `Ids of tenants: \`["acme"]\`. ${PREFIXES} Not empty.` })
  tenants?: string[];

  @Field(() => [String], {
    nullable: true,
    description: `Prefixes of API keys, not the keys themselves. ${PREFIXES} Not empty.`,
  })
  keys?: string[];

  @Field(() => Boolean, { nullable: true, description: `${AGENTS} True, or omitted.` })
  agents?: boolean;

  @Field(() => DocumentKinds, { nullable: true, description: DOCUMENT })
  document?: DocumentKind;

  @Field(() => [String], {
    nullable: true,
    description: `Names of apps that have registered the document: \`["web"]\`. ${PREFIXES} Not empty.`,
  })
  apps?: string[];

  @Field(() => [String], {
    nullable: true,
    description: `Versions of apps that have registered the document: \`["1.*"]\`. ${PREFIXES} Not empty.`,
  })
  appVersions?: string[];
}

@ObjectType('RuleAction', { description: 'Action of a rule on operations that exceed its limits.' })
export class RuleActionType {
  @Field(() => Actions, { description: 'Action on operations that exceed the limits.' })
  type!: Rule['action']['type'];

  @Field(() => Int, {
    nullable: true,
    description: 'Maximum delay of an operation in milliseconds; only for THROTTLE.',
  })
  maxDelayMs?: number;
}

@InputType('RuleActionInput', {
  description: 'Action of a rule: `{type: REJECT}`, `{type: THROTTLE, maxDelayMs: 2000}`.',
})
export class RuleActionInput {
  @Field(() => Actions, { description: 'Action on operations that exceed the limits.' })
  type!: Rule['action']['type'];

  @Field(() => Int, {
    nullable: true,
    description: 'Maximum delay of an operation in milliseconds, 1 to 60000; only for THROTTLE.',
  })
  maxDelayMs?: number;
}

@ObjectType('RuleResponse', { description: 'Content of the denials by a rule, instead of the default content.' })
export class RuleResponseType {
  @Field(() => String, { nullable: true, description: 'Value of `extensions.code`.' })
  code?: string;

  @Field(() => String, { nullable: true, description: 'Value of `errors.message`.' })
  message?: string;

  @Field(() => Int, { nullable: true, description: 'The HTTP status.' })
  status?: number;
}

@InputType('RuleResponseInput', { description: 'Content of the denials by a rule, instead of the default content.' })
export class RuleResponseInput {
  @Field(() => String, { nullable: true, description: 'Value of `extensions.code`, in capitals: `SEARCH_LIMITED`.' })
  code?: string;

  @Field(() => String, { nullable: true, description: 'Value of `errors.message`, up to 500 characters.' })
  message?: string;

  @Field(() => Int, { nullable: true, description: 'The HTTP status, 200 to 599.' })
  status?: number;
}
