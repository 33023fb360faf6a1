import { GraphQLError } from 'graphql';
import { ERRORS, type ErrorCode } from '../../model/errors.js';
import type { UserError } from '../../rules/store/outcome.js';

/** The result, or the errors of the input that prevent it. */
type Answered<Value> = { value: Value; userErrors: UserError[] } | { value: null; userErrors: UserError[] };

/**
 * Runs a query about an operation or a draft and converts errors of the input to user errors. Such
 * an error describes the input and is not a failure of the query. Outages and internal failures are
 * rethrown.
 */
export async function orUserErrors<Value>(run: () => Promise<Value>): Promise<Answered<Value>> {
  try {
    return { value: await run(), userErrors: [] };
  } catch (error) {
    if (!(error instanceof GraphQLError) || !isInputError(error)) throw error;
    const [, member = '', message] = /^(\w+): (.+)$/s.exec(error.message) ?? [];
    const field = MEMBERS[member];
    if (field !== undefined)
      return { value: null, userErrors: [{ code: 'INVALID', field: [field], message: message! }] };
    const other = error.extensions['code'] === 'BAD_USER_INPUT' ? 'variables' : 'query';
    return { value: null, userErrors: [{ code: 'INVALID', field: [other], message: error.message }] };
  }
}

/** Input members by the names that error messages begin with. */
const MEMBERS: Readonly<Record<string, string>> = {
  query: 'query',
  variables: 'variables',
  operationName: 'operationName',
  service: 'service',
  as: 'as',
  subject: 'as',
  range: 'range',
  first: 'first',
};

function isInputError({ extensions }: GraphQLError): boolean {
  const code = extensions['code'] as ErrorCode;
  return ERRORS[code]?.status === 400;
}
