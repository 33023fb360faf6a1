import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Difference } from '../../rules/policy/difference.js';
import type { Outcome, UserErrorCode } from '../../rules/store/outcome.js';
import { JsonScalar } from './json-scalar.js';

@ObjectType('Difference', { description: 'One member with a changed value.' })
export class DifferenceType {
  @Field(() => String, { description: 'Path of the member: `capacity`, `limits[0].amount`.' })
  path!: string;

  @Field(() => JsonScalar, { nullable: true, description: 'Value before the change; null if it was missing.' })
  before!: unknown;

  @Field(() => JsonScalar, {
    nullable: true,
    description: 'Value after the change, or after a planned change in a dry run; null if it is missing.',
  })
  after!: unknown;
}

/**
 * Converts a difference to JSON values, as in `Change.before` and `Change.after`. The store returns
 * these values as JSON texts.
 */
export function presentDifference({ path, before, after }: Difference): DifferenceType {
  const read = (json: string | null): unknown => (json === null ? null : JSON.parse(json));
  return { path, before: read(before), after: read(after) };
}

const UserErrorCodes = {
  INVALID: 'INVALID',
  NOT_FOUND: 'NOT_FOUND',
  ALREADY_EXISTS: 'ALREADY_EXISTS',
  STALE_VERSION: 'STALE_VERSION',
  IN_USE: 'IN_USE',
  KEY_REUSED: 'KEY_REUSED',
  DEFINED_IN_CODE: 'DEFINED_IN_CODE',
} as const satisfies { [Code in UserErrorCode]: Code };

registerEnumType(UserErrorCodes, {
  name: 'UserErrorCode',
  description: 'Reasons for the rejection of an input.',
  valuesConfig: {
    INVALID: { description: 'A value is invalid. The message describes the expected value.' },
    NOT_FOUND: { description: 'An object that the input names does not exist.' },
    ALREADY_EXISTS: { description: 'An object that the input creates already exists.' },
    STALE_VERSION: {
      description: 'The object changed after the expected version. The payload contains its current state.',
    },
    IN_USE: { description: 'Other objects use the object. The message names them.' },
    KEY_REUSED: { description: 'A different request already used the same `idempotencyKey`.' },
    DEFINED_IN_CODE: { description: 'The object is defined in the code of a server. Change it there.' },
  },
});

@ObjectType('UserError', { description: 'One reason for the rejection of an input. A rejected input changes nothing.' })
export class UserErrorType {
  @Field(() => UserErrorCodes, { description: 'The reason, in machine-readable form.' })
  code!: UserErrorCode;

  @Field(() => [String], {
    description: 'Path of the field inside `input`; empty if the error is about the entire input.',
  })
  field!: string[];

  @Field(() => String, { description: 'The reason, in human-readable form: the expected and the received value.' })
  message!: string;
}

@InputType('ChangeInput', { description: 'Fields of the input of each change.' })
export abstract class ChangeInput {
  @Field(() => String, {
    nullable: true,
    description: 'Reason, stored with the change; up to 1000 characters.',
  })
  comment?: string | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Whether to show the effects of the change without making it.',
  })
  dryRun!: boolean;
}

@InputType('CreateInput', { description: 'Fields of the input of each creation.' })
export abstract class CreateInput extends ChangeInput {
  @Field(() => String, {
    nullable: true,
    description: 'Up to 200 characters. Repetitions within a day change nothing.',
  })
  idempotencyKey?: string | null;
}

@InputType('UpdateInput', { description: 'Fields of the input of each update.' })
export abstract class UpdateInput extends ChangeInput {
  @Field(() => Int, {
    nullable: true,
    description: 'Expected version. Any other version causes `STALE_VERSION`.',
  })
  expectedVersion?: number | null;
}

@ObjectType('Payload', { description: 'Fields of the payload of each change.' })
export abstract class Payload {
  @Field(() => [DifferenceType], { description: 'The changed members, or the members that a dry run would change.' })
  differences!: DifferenceType[];

  @Field(() => [String], { description: 'Possible mistakes. Warnings do not prevent the change.' })
  warnings!: string[];

  @Field(() => [UserErrorType], { description: 'Reasons why nothing changed; empty on success.' })
  userErrors!: UserErrorType[];
}

/**
 * Builds the payload of a change: its effects, and members derived from the object. The members
 * show the object after the change. After a dry run, they show the object that the change would
 * produce. After an invalid change, they show the current object, or null if there is none.
 */
export function toPayload<Stored, Members extends Record<string, (stored: Stored) => unknown>>(
  outcome: Outcome<Stored>,
  members: Members,
): Payload & { [Name in keyof Members]: ReturnType<Members[Name]> | null } {
  const stored = outcome.ok ? outcome.value : outcome.current;
  const shown = Object.entries(members).map(([name, present]) => [name, stored === null ? null : present(stored)]);
  return {
    differences: outcome.ok ? outcome.differences.map(presentDifference) : [],
    warnings: outcome.ok ? outcome.warnings : [],
    userErrors: outcome.ok ? [] : outcome.userErrors,
    ...(Object.fromEntries(shown) as { [Name in keyof Members]: ReturnType<Members[Name]> | null }),
  };
}

/**
 * Converts an input for the store: plain objects without missing members. Null counts as missing
 * for the `optional` members, and inside nested objects. Every other null is passed on, and the
 * store accepts or rejects it. The returned type is not checked here, because the store validates
 * the result.
 */
export function toPlain<Wanted extends object>(input: object, optional: readonly string[] = OPTIONS): Wanted {
  const members = Object.entries(input).filter(
    ([name, value]) => value !== undefined && !(value === null && optional.includes(name)),
  );
  return Object.fromEntries(members.map(([name, value]) => [name, withoutNulls(value)])) as Wanted;
}

/** Returns the conditions of a filter without those that are missing or null. */
export function toFilter<Wanted extends object>(filter: object | null | undefined): Wanted {
  return withoutNulls(filter ?? {}) as Wanted;
}

const OPTIONS = ['comment', 'idempotencyKey', 'expectedVersion', 'expiresAt', 'toVersion'];

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  const members = Object.entries(value).filter(([, member]) => member !== undefined && member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}
