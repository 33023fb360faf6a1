import { describe, expectTypeOf, it } from 'vitest';
import type * as client from '../../packages/client/src/cost-answer.js';
import type { ErrorCode } from '../../src/model/errors.js';
import type { CostExtension } from '../../src/protection/answer/cost-extension.js';
import type { UNITS } from '../../src/protection/answer/describe-limit.js';

/**
 * A type whose members are read-only and required at all levels. The declarations of client and
 * server may differ only in these two modifiers.
 */
type Shape<Value> = Value extends readonly (infer Item)[]
  ? readonly Shape<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]-?: Shape<Exclude<Value[Name], undefined>> }
    : Value;

/** Members for the development of queries, which paced clients do not read. */
type ForDevelopers = 'fields';

// The client has no dependencies, so it declares its own types. `npm run check` compiles this file,
// which fails if the types of client and server differ.
describe('the types of tollgate-client and those of the server', () => {
  it('client and server types have the same members in extensions.cost', () => {
    expectTypeOf<Shape<client.CostExtension>>().toEqualTypeOf<Shape<Omit<CostExtension, ForDevelopers>>>();
  });

  it('the client type accepts every cost report that the server builds', () => {
    expectTypeOf<CostExtension>().toExtend<client.CostExtension>();
  });

  it('client and server types have the same units of limits', () => {
    expectTypeOf<client.LimitUnit>().toEqualTypeOf<(typeof UNITS)[keyof typeof UNITS]>();
  });

  it('client and server types have the same error codes', () => {
    expectTypeOf<client.ErrorCode>().toEqualTypeOf<ErrorCode>();
  });
});
