import { describe, expectTypeOf, it } from 'vitest';
import type * as client from '../../packages/client/src/cost-answer.js';
import type { ErrorCode } from '../../src/model/errors.js';
import type { CostExtension } from '../../src/protection/answer/cost-extension.js';
import type { UNITS } from '../../src/protection/answer/describe-limit.js';

/** Read-only all the way down, and with all members there: what two sides may say differently of one shape. */
type Shape<Value> = Value extends readonly (infer Item)[]
  ? readonly Shape<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]-?: Shape<Exclude<Value[Name], undefined>> }
    : Value;

/** What one asks for while one writes a query, which clients that pace themselves do not read. */
type ForDevelopers = 'fields';

// The client depends on nothing, so its types are its own. `npm run check` compiles this.
describe('the types of tollgate-client and those of the server', () => {
  it('have the same members in extensions.cost', () => {
    expectTypeOf<Shape<client.CostExtension>>().toEqualTypeOf<Shape<Omit<CostExtension, ForDevelopers>>>();
  });

  it('let a client read every answer that the server builds', () => {
    expectTypeOf<CostExtension>().toExtend<client.CostExtension>();
  });

  it('have the same units of what a denial says', () => {
    expectTypeOf<client.LimitUnit>().toEqualTypeOf<(typeof UNITS)[keyof typeof UNITS]>();
  });

  it('have the same error codes', () => {
    expectTypeOf<client.ErrorCode>().toEqualTypeOf<ErrorCode>();
  });
});
