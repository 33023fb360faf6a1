import { Field, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { Difference } from '../../rules/policy/difference.js';
import type { Outcome, UserErrorCode } from '../../rules/store/outcome.js';
import { JsonScalar } from './json-scalar.js';

@ObjectType('Difference', { description: 'One member that a change sets to another value.' })
export class DifferenceType {
  @Field(() => String, { description: 'Which one: `capacity`, `limits[0].amount`.' })
  path!: string;

  @Field(() => JsonScalar, { nullable: true, description: 'As it was; null: not there.' })
  before!: unknown;

  @Field(() => JsonScalar, { nullable: true, description: 'As it is, or would be after a dry run; null: not there.' })
  after!: unknown;
}

/**
 * Converts a difference to JSON values, as in `Change.before` and `Change.after`. The store has
 * them as text.
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
  description: 'Why an input was not taken.',
  valuesConfig: {
    INVALID: { description: 'A value is not what the field takes; the message says what it takes.' },
    NOT_FOUND: { description: 'What the input names does not exist.' },
    ALREADY_EXISTS: { description: 'What the input names exists already.' },
    STALE_VERSION: {
      description: 'Somebody else changed the object since the expected version. The payload carries it as it is now.',
    },
    IN_USE: { description: 'Something else needs it; the message says what.' },
    KEY_REUSED: { description: 'Another request was made under the same `idempotencyKey`.' },
    DEFINED_IN_CODE: { description: 'It stands in the code of a server, where alone it can be changed.' },
  },
});

@ObjectType('UserError', { description: 'One reason why an input was not taken. Nothing was changed.' })
export class UserErrorType {
  @Field(() => UserErrorCodes, { description: 'The reason in a form for programs.' })
  code!: UserErrorCode;

  @Field(() => [String], { description: 'The path of the field inside `input`; empty for the input as a whole.' })
  field!: string[];

  @Field(() => String, { description: 'The reason, for people: what was expected and what came.' })
  message!: string;
}

@InputType('ChangeInput', { description: 'What every change takes.' })
export abstract class ChangeInput {
  @Field(() => String, { nullable: true, description: 'Why: the record of changes keeps it, up to 1000 characters.' })
  comment?: string | null;

  @Field(() => Boolean, {
    defaultValue: false,
    description: 'Answers what would be different, and changes nothing.',
  })
  dryRun!: boolean;
}

@InputType('CreateInput', { description: 'What every creation takes.' })
export abstract class CreateInput extends ChangeInput {
  @Field(() => String, {
    nullable: true,
    description: 'Your text of 1 to 200 characters: the request is made once in a day.',
  })
  idempotencyKey?: string | null;
}

@InputType('UpdateInput', { description: 'What every update takes.' })
export abstract class UpdateInput extends ChangeInput {
  @Field(() => Int, {
    nullable: true,
    description: '`STALE_VERSION` is answered where the object has another version.',
  })
  expectedVersion?: number | null;
}

@ObjectType('Payload', { description: 'What every change answers.' })
export abstract class Payload {
  @Field(() => [DifferenceType], { description: 'What is different now, or would be after a dry run.' })
  differences!: DifferenceType[];

  @Field(() => [String], { description: 'What you may not have meant; nothing was refused because of it.' })
  warnings!: string[];

  @Field(() => [UserErrorType], { description: 'Why nothing was changed; empty on success.' })
  userErrors!: UserErrorType[];
}

/**
 * Builds the payload of a change: its effects, and members derived from the object. These show the
 * object as it is now, or as it would be after a dry run. After an invalid change they show the
 * current object, or null if there is none.
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
 * Converts an input for the store: plain objects without missing members. Null means missing for
 * the `optional` members and inside of the others. Elsewhere null is passed on: the store takes it
 * as a value or reports a mistake. The store validates all of it, so the returned type is only a
 * promise here.
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
