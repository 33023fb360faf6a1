import { z } from 'zod';
import { errorOf } from '../model/errors.js';
import { MAX_COST } from '../model/limit-parameters.js';
import { flag, membersOf, text, wholeNumber } from '../rules/policy/validators.js';
import { MAX_RECEIPT_LETTERS } from './create-receipt-seal.js';

/** Maximum of `settleWithinMs`: ten minutes. */
const MAX_SETTLE_WITHIN_MS = 600_000;
/** Default of `settleWithinMs`. */
export const SETTLE_WITHIN_MS = 60_000;

const MAX_SERVICE_LETTERS = 64;

const name = text(1, 1000);
const tokens = wholeNumber(0, MAX_COST);
/** A member that the caller of the API chose. If it is wrong, the caller pays the fee. */
const fromCaller = z.unknown().optional();

const sentOperation = {
  query: fromCaller.describe('Text of the document.'),
  variables: fromCaller.describe('Variables of the operation: an object or null.'),
  operationName: fromCaller.describe('Name of the operation to run, if the document contains several.'),
};

const callerMembers = {
  subject: membersOf({ user: name.optional(), tenant: name.optional(), apiKey: name.optional(), ip: name.optional() })
    .refine((subject) => Object.values(subject).some((one) => one !== undefined), 'expected at least one member')
    .optional()
    .describe('Caller, if your server has identified them. Their stored tier and bucket apply.'),
  headers: z
    .record(z.string(), z.union([z.string(), z.array(z.string())]))
    .optional()
    .describe('Headers of the HTTP request, with which Tollgate identifies the caller by API key or token.'),
  address: name.optional().describe('IP address of the client of your server.'),
};

const operationMembers = {
  ...sentOperation,
  documentId: fromCaller.describe(
    'Id of a registered document, or the SHA-256 of a text in hexadecimal that an earlier request with `query` has sent.',
  ),
  app: name.optional().describe('App that sends the operation, as in the header `apollographql-client-name`.'),
  appVersion: name.optional().describe('Version of the app, as in the header `apollographql-client-version`.'),
};

export const decideRequest = membersOf({
  ...operationMembers,
  ...callerMembers,
  service: text(1, MAX_SERVICE_LETTERS)
    .optional()
    .describe('Name of your server, for the list of denials. The default is the name of the token.'),
  settleWithinMs: wholeNumber(100, MAX_SETTLE_WITHIN_MS)
    .default(SETTLE_WITHIN_MS)
    .describe('Time after which the estimated cost stays and concurrency slots end, in milliseconds.'),
}).superRefine(checkCaller);

export const priceRequest = membersOf(operationMembers);
export const peekRequest = membersOf({ ...operationMembers, ...callerMembers }).superRefine(checkCaller);

export const settleRequest = membersOf({
  receipt: text(1, MAX_RECEIPT_LETTERS).describe('The receipt of a decision.'),
  actualCost: tokens.optional().describe('Actual cost in tokens, as your server has computed it.'),
  data: z.unknown().optional().describe('Data of the response, from which Tollgate computes the actual cost.'),
  errors: z.array(z.looseObject({})).optional().describe('Errors of the response.'),
  addedCost: tokens.default(0).describe('Tokens to charge in addition to the cost of the response.'),
  hasNotRun: flag()
    .default(false)
    .describe('Whether it is certain that the operation never ran. The whole charge is then refunded.'),
}).superRefine(({ actualCost, data, errors, hasNotRun }, context) => {
  const given = [actualCost !== undefined, data !== undefined || errors !== undefined, hasNotRun];
  if (given.filter(Boolean).length <= 1) return;
  const message = 'expected only one of actualCost, data with errors, and hasNotRun';
  context.addIssue({ code: 'custom', path: ['actualCost'], message });
});

export type DecideRequest = z.infer<typeof decideRequest>;
export type PriceRequest = z.infer<typeof priceRequest>;
export type SettleRequest = z.infer<typeof settleRequest>;

/** Maximum number of requests in a batch. */
export const MAX_BATCH = 1000;

/**
 * Parses the body of a request: one item, or a list of items.
 * @throws GraphQLError with status 400 that names up to `MAX_MISTAKES` mistakes
 */
export function parseItems<Item>(item: z.ZodType<Item>, body: unknown): Item | Item[] {
  const mistakes: string[] = [];
  const parse = (one: unknown, place: string): Item | undefined => {
    const read = item.safeParse(one);
    if (read.success) return read.data;
    for (const { path, message } of read.error.issues) mistakes.push(`${placeOf(place, path)}: ${message}`);
    return undefined;
  };
  if (Array.isArray(body) && (body.length === 0 || body.length > MAX_BATCH))
    throw errorOf('BAD_REQUEST', `Bad request: expected a list of 1 to ${MAX_BATCH} items, got ${body.length}`);
  const read = Array.isArray(body) ? body.map((one, index) => parse(one, `[${index}]`)) : parse(body, '');
  if (mistakes.length === 0) return read as Item | Item[];
  throw errorOf('BAD_REQUEST', `Bad request: ${mistakes.slice(0, MAX_MISTAKES).join('; ')}`, {
    extensions: { mistakes: mistakes.slice(0, MAX_MISTAKES) },
  });
}

const MAX_MISTAKES = 50;

function placeOf(item: string, path: readonly PropertyKey[]): string {
  return [item, ...path.map(String)].filter((part) => part !== '').join('.') || 'body';
}

function checkCaller(
  {
    subject,
    headers,
    address,
  }: { subject?: object | undefined; headers?: object | undefined; address?: string | undefined },
  context: z.RefinementCtx,
): void {
  if (subject && headers) {
    const message = 'expected either subject or headers, because both identify the caller';
    context.addIssue({ code: 'custom', path: ['subject'], message });
  }
  if (!subject && !headers && address === undefined) {
    const message = 'expected subject, headers or address, which identify the caller';
    context.addIssue({ code: 'custom', path: ['subject'], message });
  }
}
