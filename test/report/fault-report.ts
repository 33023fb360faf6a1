import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

/** One line of the report: the tests of one id, the number of cases, and the failures. */
interface Line {
  id: string;
  /** Guarantees that the tests check, taken from the test names. */
  tried: Set<string>;
  cases: number;
  failed: string[];
  /** Measured figures. */
  figures: string[];
}

export interface FaultReportOptions {
  /** Path of the report. */
  file: string;
  /**
   * Ids that must have a test. An id without a test is reported as missing. It fails a run of all
   * tests.
   */
  expected: readonly string[];
}

/** All ids of abuse tests (A) and of fault tests (R, P and N). */
export const ALL_IDS: readonly string[] = [
  ...numbered('A', 55),
  ...numbered('R', 10),
  ...numbered('P', 3),
  ...numbered('N', 4),
];

/**
 * Creates a vitest reporter that collects the tests whose names begin with an id (`A7: ...`). It
 * writes a table with id, guarantee, cases and result, followed by the measured figures. A test
 * sets its number of cases in `task.meta.cases` (default: 1), and its figures in
 * `task.meta.figures`.
 */
export function createFaultReport({ file, expected }: FaultReportOptions): Reporter {
  let vitest: Vitest | undefined;
  return {
    onInit(started) {
      vitest = started;
    },
    async onTestRunEnd(modules) {
      const lines = new Map<string, Line>(expected.map((id): [string, Line] => [id, lineOf(id)]));
      for (const test of modules.flatMap(testsOf)) {
        const [, id, guarantee] = /^([A-Z]\d+): (.*)$/.exec(test.name) ?? [];
        if (id === undefined || guarantee === undefined || test.result().state === 'skipped') continue;
        const line = lines.get(id) ?? lineOf(id);
        lines.set(id, line);
        line.tried.add(guarantee);
        line.cases += test.meta().cases ?? 1;
        line.figures.push(...(test.meta().figures ?? []));
        if (test.result().state !== 'passed') line.failed.push(test.fullName);
      }
      writeFileSync(file, reportOf([...lines.values()]));
      const missing = [...lines.values()].filter(({ tried }) => tried.size === 0).map(({ id }) => id);
      const all = await vitest?.globTestSpecifications();
      const isWhole = vitest?.config.testNamePattern === undefined && modules.length === all?.length;
      // A partial run may omit ids.
      if (missing.length === 0 || !isWhole) return;
      vitest?.logger.error(`No test is about ${missing.join(', ')}: see ${file}`);
      process.exitCode = 1;
    },
  };
}

function reportOf(lines: readonly Line[]): string {
  const row = ({ id, tried, cases, failed }: Line) => {
    const result = tried.size === 0 ? 'MISSING' : failed.length === 0 ? 'holds' : `FAILED: ${failed.length} tests`;
    return `| ${id} | ${[...tried].map((one) => one.replaceAll('|', '\\|')).join('; ')} | ${cases} | ${result} |`;
  };
  const figures = lines.flatMap(({ id, figures }) => figures.map((figure) => `- ${id}: ${figure}`));
  const table = ['| id | what was tried | cases | result |', '| --- | --- | ---: | --- |', ...lines.map(row)];
  return `${[...table, ...(figures.length > 0 ? ['', 'Measured:', ''] : []), ...figures].join('\n')}\n`;
}

function lineOf(id: string): Line {
  return { id, tried: new Set(), cases: 0, failed: [], figures: [] };
}

function testsOf(module: TestModule): TestCase[] {
  return [...module.children.allTests()];
}

function numbered(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${letter}${index + 1}`);
}
