import { readFile } from 'node:fs/promises';
import type { GraphQLSchema } from 'graphql';
import type { CostAnalyzerOptions } from '../../../cost/settings/cost-analyzer-options.js';
import { findPolicyMistakes } from '../../../rules/policy/parse-policy.js';
import { type PolicyDocument, parsePolicyDocument } from '../../../rules/policy/policy-document.js';
import { decodeText } from '../../../runtime/files/decode-text.js';
import { createTestTollgate, type RunningOperation } from '../../../testing/create-test-tollgate.js';
import { findAdmissionDifference, findDenialDifference, type TestResult } from '../../../testing/test-result.js';
import { CostsFileError, describeMisfits, readCostsFile } from '../../costs/costs-file.js';
import { readSchemaFiles } from '../cost/read-schema-files.js';
import { readText, reasonOf } from '../read-text.js';
import type { CommandOutput } from '../take-command-line.js';
import { type CaseStep, CasesFileError, type RuleCase, readCasesFile } from './read-cases-file.js';

/** Data that all cases of a file share. */
interface Tested {
  readonly schema: GraphQLSchema;
  readonly policy: Partial<PolicyDocument>;
  readonly cost: CostAnalyzerOptions;
  readonly startsAt: Date | undefined;
}

/**
 * Runs the cases of a file, each with new counters, and prints one line for each case.
 * @returns the exit code: 0 if all cases passed, 1 if some failed, 2 if a file cannot be used
 */
export async function testRules(file: string, { stdout, stderr }: CommandOutput): Promise<number> {
  try {
    const { cases, ...paths } = await readCasesFile(file);
    const tested = await readTested(paths);
    let failed = 0;
    for (const one of cases) {
      const failure = await runCase(one, tested);
      if (failure !== undefined) failed++;
      stdout.write(failure === undefined ? `passed  ${one.name}\n` : `FAILED  ${one.name}\n        ${failure}\n`);
    }
    const total = cases.length === 1 ? '1 case' : `${cases.length} cases`;
    stdout.write(failed === 0 ? `${total} passed\n` : `${failed} of ${total} failed\n`);
    return failed === 0 ? 0 : 1;
  } catch (error) {
    const lines =
      error instanceof CasesFileError ? error.problems.map((line) => `${file}: ${line}`) : [reasonOf(error)];
    stderr.write(`${lines.join('\n')}\n`);
    return 2;
  }
}

type Paths = Omit<Awaited<ReturnType<typeof readCasesFile>>, 'cases'>;

/**
 * Reads the files that the cases name.
 *
 * @throws an error with all mistakes of the first invalid file
 */
async function readTested({ schema: schemaFiles, policy: policyFile, costs, startsAt }: Paths): Promise<Tested> {
  const { schema } = readSchemaFiles(schemaFiles, 'schema');
  const prices = costs === undefined ? undefined : await readCostsFile(costs);
  const misfits = prices ? describeMisfits(schema, prices) : [];
  if (misfits.length > 0) throw new CostsFileError(misfits);
  const text = await readFile(policyFile).then(decodeText, (error: unknown) => {
    throw new Error(`policy: cannot read ${policyFile}: ${reasonOf(error)}`);
  });
  const read = await parsePolicyDocument(text);
  const policy = read.problems ? {} : policyOf(read.document);
  const mistakes = read.problems ?? findPolicyMistakes(policy);
  if (mistakes.length > 0) {
    throw new Error(mistakes.map((problem) => `${policyFile}: ${problem}`).join('\n'));
  }
  return { schema, policy, cost: prices ? { overlay: prices.overlay, ...prices.inference } : {}, startsAt };
}

/** Returns the tiers and rules of a file. Without tiers, the default ones apply. */
function policyOf({ tiers, rules }: PolicyDocument): Partial<PolicyDocument> {
  return { rules, ...(tiers.length > 0 && { tiers }) };
}

/** Runs a case. Returns why it failed; undefined if it passed. */
async function runCase(
  { caller, steps, startsAt }: RuleCase,
  { schema, policy, cost, ...shared }: Tested,
): Promise<string | undefined> {
  const start = startsAt ?? shared.startsAt;
  const tollgate = await createTestTollgate({
    schema,
    cost,
    ...policy,
    ...(start && { startsAt: start }),
  });
  const beganMs = tollgate.nowMs();
  try {
    for (const [index, step] of steps.entries()) {
      const waitMs = beganMs + (step.at ?? 0) - tollgate.nowMs();
      if (waitMs > 0) tollgate.advance(waitMs);
      const query = step.operation.includes('{') ? step.operation : readText('operation', step.operation);
      const { operationName, variables, headers, registered, data } = step;
      const request = {
        query,
        ...(operationName !== undefined && { operationName }),
        ...(variables && { variables }),
        ...(headers && { headers }),
        ...(registered && { registered }),
        ...((step.caller ?? caller) && { caller: { ...caller, ...step.caller } }),
      };
      for (let count = 1; count <= step.times; count++) {
        const operation: RunningOperation = await tollgate.begin(request);
        if (!step.keepRunning) await operation.finish(data && { data });
        const difference = findDifference(operation.result, step.expect);
        if (difference !== undefined) return `${placeOf(index, steps.length, count, step.times)}${difference}`;
      }
    }
    return undefined;
  } catch (error) {
    return reasonOf(error);
  } finally {
    await tollgate.close();
  }
}

function findDifference(result: TestResult, expected: CaseStep['expect']): string | undefined {
  if ('admitted' in expected) return findAdmissionDifference(result, expected.admitted);
  const { retryAfter, ...denial } = expected.denied as { by?: string; code?: string; retryAfter?: number };
  return findDenialDifference(result, { ...denial, retryAfterMs: retryAfter });
}

/** Returns the step and the repetition of a failure, if there are several. */
function placeOf(index: number, steps: number, count: number, times: number): string {
  const words = [
    ...(steps > 1 ? [`step ${index + 1}`] : []),
    ...(times > 1 ? [`${steps > 1 ? 'operation' : 'Operation'} ${count} of ${times}`] : []),
  ];
  return words.length === 0 ? '' : `${words.join(', ')}: `;
}
