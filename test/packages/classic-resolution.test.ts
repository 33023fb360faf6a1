import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tollgate-classic-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/tollgate'));
  symlinkSync(join(ROOT, 'node_modules/graphql'), join(folder, 'node_modules/graphql'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/**
 * Returns the TypeScript errors of a program under the compiler options of a NestJS 10 project,
 * with the module resolution of Node.js 10.
 */
function errorsOf(program: string): string[] {
  const file = join(folder, 'program.ts');
  writeFileSync(file, program);
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Node10,
    target: ts.ScriptTarget.ES2021,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const found = ts.getPreEmitDiagnostics(ts.createProgram([file], options));
  return found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
}

it('each entry point has types in projects with `moduleResolution: node`', () => {
  const entryPoints = [
    '',
    '/cost',
    '/limiter',
    '/yoga',
    '/mercurius',
    '/graphql-http',
    '/nest',
    '/graphiql',
    '/testing',
    '/admin',
    '/server',
  ];
  const imports = entryPoints.map((name, at) => `import * as entry${at} from 'tollgate${name}';`).join('\n');
  const program = `${imports}
    import { buildSchema } from 'graphql';
    export const tollgate = entry0.createTollgate({ schema: buildSchema('type Query { a: Int }') });
    export const all = [${entryPoints.map((_, at) => `entry${at}`).join(', ')}];
    // @ts-expect-error: not a schema
    entry0.createTollgate({ schema: 3 });`;
  expect(errorsOf(program)).toEqual([]);
});
