import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { describeProblems } from '../../../model/describe-problems.js';
import { KEY_KINDS } from '../../../model/subject.js';
import { isCalendarDate } from '../../../options/is-calendar-date.js';
import { keyBudgetInput } from '../../../rules/policy/key-budget-input.js';
import { keyFieldsInput } from '../../../rules/policy/key-fields-input.js';
import { bucketInput } from '../../../rules/policy/tier-input.js';
import { flag, membersOf, oneOf, satisfying, text, wholeNumber } from '../../../rules/policy/validators.js';
import { decodeText } from '../../../runtime/files/decode-text.js';
import { parseYaml } from '../../../runtime/packages/parse-yaml.js';

/** Mistakes in a file of cases, one line each. */
export class CasesFileError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(problems.join('\n'));
  }
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DURATION = /^(\d{1,9})(ms|s|m|h|d)$/;

/** Returns the milliseconds of a duration such as `90s`, `5m`, `2h` or `1d`. */
function durationMs(value: string): number {
  const [, amount = '', unit = ''] = DURATION.exec(value) ?? [];
  return Number(amount) * (UNIT_MS[unit] ?? Number.NaN);
}

const duration = satisfying((value) => DURATION.test(value), 'a duration such as 500ms, 90s, 5m, 2h or 1d').transform(
  durationMs,
);
const date = z
  .union([z.date(), z.iso.datetime({ offset: true })], { error: 'expected a date such as 2026-01-31T23:59:00Z' })
  .transform((value) => new Date(value));

const caller = membersOf({
  user: text(1, 200).optional(),
  tenant: text(1, 200).optional(),
  apiKey: text(1, 200).optional(),
  keyKind: oneOf(KEY_KINDS).optional(),
  keyBudget: keyBudgetInput.optional(),
  keyFields: keyFieldsInput.optional(),
  ip: text(1, 200).optional(),
  tier: text(1, 64).optional(),
  bucket: bucketInput.optional(),
  billingAnchor: satisfying(isCalendarDate, 'a day as YYYY-MM-DD, such as 2026-01-31').optional(),
});

const expectation = z.union(
  [
    z.literal('admitted').transform(() => ({ admitted: {} })),
    z.literal('denied').transform(() => ({ denied: {} })),
    membersOf({ admitted: membersOf({ cost: wholeNumber(0, Number.MAX_SAFE_INTEGER).optional() }) }),
    membersOf({
      denied: membersOf({
        by: text(1, 200).optional(),
        code: text(1, 100).optional(),
        retryAfter: duration.optional(),
      }),
    }),
  ],
  {
    error:
      'expected admitted, denied, { admitted: { cost } } or { denied: { by, code, retryAfter } }, with retryAfter such as 60s',
  },
);

const stepMembers = {
  operation: text(1, 1_000_000),
  operationName: text(1, 1000).optional(),
  variables: z.record(z.string(), z.unknown(), { error: 'expected an object' }).optional(),
  headers: z.record(z.string(), z.string(), { error: 'expected an object of strings' }).optional(),
  /** Data of the response. The charge is settled to the actual cost of this data. */
  data: z.record(z.string(), z.unknown(), { error: 'expected an object' }).optional(),
  /** Time since the beginning of the case, parsed to milliseconds. */
  at: duration.optional(),
  /** Number of times that the operation is sent. */
  times: wholeNumber(1, 100_000).default(1),
  /** Whether the operation occupies its concurrency slots until the end of the case. */
  keepRunning: flag().default(false),
  caller: caller.optional(),
  /** App and version that have registered the document. */
  registered: membersOf({ app: text(1, 64), version: text(1, 64) }).optional(),
  expect: expectation,
};
const step = membersOf(stepMembers);
const caseMembers = { name: text(1, 500), startsAt: date.optional(), caller: caller.optional() };
const singleStep = membersOf({ ...caseMembers, ...stepMembers });
const manySteps = membersOf({ ...caseMembers, steps: z.array(step).min(1, 'expected at least one step') });

const paths = z.union([z.string(), z.array(z.string()).min(1)], { error: 'expected a file, or a list of files' });

const outline = membersOf({
  schema: paths,
  policy: text(1, 4096),
  costs: text(1, 4096).optional(),
  startsAt: date.optional(),
  cases: z.array(z.looseObject({}), { error: 'expected a list of cases' }).min(1, 'expected at least one case'),
});

/** One operation of a case, sent `times` times, each with the same expected result. */
export type CaseStep = z.output<typeof step>;

/** A sequence of operations that starts with new counters. */
export interface RuleCase {
  readonly name: string;
  readonly startsAt: Date | undefined;
  readonly caller: z.output<typeof caller> | undefined;
  readonly steps: readonly CaseStep[];
}

/** A file of cases. Its relative paths are resolved from its own folder. */
interface CasesFile {
  readonly schema: readonly string[];
  readonly policy: string;
  readonly costs: string | undefined;
  readonly startsAt: Date | undefined;
  readonly cases: readonly RuleCase[];
}

/**
 * Reads a file of cases in YAML or JSON.
 * @throws CasesFileError that lists every mistake, with its path in the file
 */
export async function readCasesFile(file: string): Promise<CasesFile> {
  const content = await readFile(file).then(decodeText, (error: unknown) => {
    throw new CasesFileError([`cannot be read: ${error instanceof Error ? error.message : String(error)}`]);
  });
  const { document, problems } = await parseYaml(content, '"tollgate rules test"');
  if (problems.length > 0) throw new CasesFileError(problems.map(({ message }) => message));
  const value: unknown = document.toJS({ maxAliasCount: 0 });
  const read = outline.safeParse(value);
  const given = (value as { cases?: unknown } | null)?.cases;
  const cases = (Array.isArray(given) ? given : []).map(readCase);
  const mistakes = [
    ...(read.success ? [] : describeProblems('', value, read.error).map((line) => line.replace(/^(\.|: )/, ''))),
    ...cases.flatMap((one) => one.problems ?? []),
  ];
  if (!read.success || mistakes.length > 0) throw new CasesFileError(mistakes);
  const { schema, policy, costs, startsAt } = read.data;
  const from = (path: string) => resolve(dirname(file), path);
  return {
    schema: [schema].flat().map(from),
    policy: from(policy),
    costs: costs === undefined ? undefined : from(costs),
    startsAt,
    cases: cases.flatMap((one) => one.ruleCase ?? []).map((one) => withPaths(one, from)),
  };
}

type ReadCase = { ruleCase: RuleCase; problems?: never } | { ruleCase?: never; problems: string[] };

function readCase(input: unknown, index: number): ReadCase {
  const hasSteps = typeof input === 'object' && input !== null && 'steps' in input;
  const read = hasSteps ? manySteps.safeParse(input) : singleStep.safeParse(input);
  const { name: shown } = (input ?? {}) as { name?: unknown };
  const place = `cases[${index}]${typeof shown === 'string' ? ` (${JSON.stringify(shown)})` : ''}`;
  if (!read.success) return { problems: describeProblems(place, input, read.error) };
  const { name, startsAt, caller: ofCase, ...rest } = read.data;
  const steps = 'steps' in rest ? rest.steps : [rest];
  const problems = steps.flatMap(({ at = 0 }, each) => {
    const before = Math.max(0, ...steps.slice(0, each).map((one) => one.at ?? 0));
    return at > 0 && at < before
      ? [`${place}.steps[${each}].at: expected a time that is not before that of an earlier step`]
      : [];
  });
  return problems.length > 0 ? { problems } : { ruleCase: { name, startsAt, caller: ofCase, steps } };
}

/**
 * Resolves the paths among the operations. A text with a brace is a document; any other text is a
 * path.
 */
function withPaths(ruleCase: RuleCase, from: (path: string) => string): RuleCase {
  const steps = ruleCase.steps.map((one) =>
    one.operation.includes('{') ? one : { ...one, operation: from(one.operation) },
  );
  return { ...ruleCase, steps };
}
