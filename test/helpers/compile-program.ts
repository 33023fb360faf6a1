import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const NATIVE = fileURLToPath(new URL('../../scripts/compile.mjs', import.meta.url));

const LIBRARIES = join(ts.getDefaultLibFilePath({}), '..');
/**
 * Cache of the parsed declarations of TypeScript itself. They are the same in every folder, and
 * parsing them takes most of the time of a small program.
 */
const libraries = new Map<string, ts.SourceFile | undefined>();

/**
 * Compiles `program.ts` in a folder like a user's TypeScript project. It compiles four times: with
 * the module resolution of Node and of bundlers, each with two compilers. TypeScript 5 runs in this
 * process, because a separate process would take four times as long. The native compiler of
 * TypeScript 7 runs in a separate process. No files remain in the folder.
 *
 * @throws Error with the compiler's findings and the module resolution.
 */
export function compileProgram(cwd: string, program: string, compilerOptions: object): void {
  const file = join(cwd, 'program.ts');
  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    const config = { compilerOptions: { ...compilerOptions, noEmit: true, module, moduleResolution }, files: [file] };
    const { options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, cwd);
    const host = ts.createCompilerHost(options);
    const { fileExists, readFile, getSourceFile } = host;
    host.getCurrentDirectory = () => cwd;
    host.fileExists = (name) => name === file || fileExists(name);
    host.readFile = (name) => (name === file ? program : readFile(name));
    host.getSourceFile = (name, version, ...rest) => {
      if (name === file) return ts.createSourceFile(name, program, version);
      if (!name.startsWith(LIBRARIES)) return getSourceFile(name, version, ...rest);
      const key = `${module} ${name}`;
      if (!libraries.has(key)) libraries.set(key, getSourceFile(name, version, ...rest));
      return libraries.get(key);
    };
    const found = [...errors, ...ts.getPreEmitDiagnostics(ts.createProgram([file], options, host))];
    if (found.length > 0) throw new Error(`with ${moduleResolution}:\n${ts.formatDiagnostics(found, host)}`);
    compileNatively(cwd, program, config);
  }
}

function compileNatively(cwd: string, program: string, config: { compilerOptions: object; files: string[] }): void {
  const project = join(cwd, 'tsconfig.native.json');
  const files = { [project]: JSON.stringify(config), [config.files[0]!]: program };
  try {
    for (const [path, text] of Object.entries(files)) writeFileSync(path, text);
    const { status, stdout } = spawnSync(process.execPath, [NATIVE, '-p', project], { cwd, encoding: 'utf8' });
    if (status !== 0)
      throw new Error(`with the native compiler, ${JSON.stringify(config.compilerOptions)}:\n${stdout}`);
  } finally {
    for (const path of Object.keys(files)) rmSync(path, { force: true });
  }
}
