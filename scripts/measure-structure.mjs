// Measures the structure of src/: folders that import each other, unused exports, misnamed files,
// long functions and long files. `npm run check` fails if the number of findings of a kind differs
// from the number in check-layout.mjs. `node scripts/measure-structure.mjs` prints the figures, and
// with `--list` also the findings.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const MAX_FUNCTION_LINES = 120;
const MAX_FILE_LINES = 400;
/** Folders whose files may use the exports of src/. */
const USERS = ['src', 'test', 'bench', 'scripts', 'console', 'packages', 'examples'];
/** Files whose exports are the public API. */
const ENTRY_POINTS = /^src\/(index|cli)\.ts$|^src\/entry\//;

/** Returns the figures of the source files, and the findings, each with its path. */
export function measureStructure() {
  const files = USERS.flatMap((folder) => [...sourcesBelow(folder)]).map(read);
  const sources = files.filter(({ path }) => path.startsWith('src/'));
  const used = usedExports(files);
  return {
    files: sources.length,
    lines: sources.reduce((sum, { lines }) => sum + lines, 0),
    folders: new Set(sources.map(({ path }) => dirname(path))).size,
    cycles: cyclesOf(sources),
    longFunctions: sources.flatMap(({ functions }) => functions.filter(({ lines }) => lines > MAX_FUNCTION_LINES)),
    longFiles: sources.filter(({ lines }) => lines > MAX_FILE_LINES).map(({ path, lines }) => ({ path, lines })),
    misnamed: sources
      .filter(({ path, exports }) => !ENTRY_POINTS.test(path) && !isNamedAfter(path, exports))
      .map(({ path }) => path),
    unusedExports: sources.flatMap(({ path, exports }) =>
      ENTRY_POINTS.test(path) ? [] : exports.filter((name) => !used(path, name)).map((name) => `${path} ${name}`),
    ),
  };
}

function* sourcesBelow(folder) {
  for (const entry of readdirSync(join(ROOT, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!['node_modules', 'dist', 'generated'].includes(entry.name)) yield* sourcesBelow(path);
    } else if (/\.(ts|tsx|mts|mjs|js)$/.test(entry.name) && !entry.name.endsWith('.d.ts')) yield path;
  }
}

function read(path) {
  const text = readFileSync(join(ROOT, path), 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position) => source.getLineAndCharacterOfPosition(position).line + 1;
  /** Names imported from other files. `*` stands for all exports. */
  const imports = [];
  const functions = [];
  const exports = [];
  const importFrom = (specifier, names) => {
    if (specifier.startsWith('.')) imports.push({ from: pathOf(path, specifier), names });
  };
  function visit(node) {
    if (ts.isImportDeclaration(node)) {
      const { importClause: clause } = node;
      const bindings = clause?.namedBindings;
      const named =
        bindings && ts.isNamedImports(bindings)
          ? bindings.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
          : ['*'];
      importFrom(node.moduleSpecifier.text, named);
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      const { exportClause: clause } = node;
      const named =
        clause && ts.isNamedExports(clause)
          ? clause.elements.map(({ name, propertyName }) => (propertyName ?? name).text)
          : ['*'];
      importFrom(node.moduleSpecifier.text, named);
    } else if (ts.isCallExpression(node) && node.arguments[0] && ts.isStringLiteralLike(node.arguments[0])) {
      const isImport = node.expression.kind === ts.SyntaxKind.ImportKeyword;
      if (isImport || /(mock|importActual)$/.test(node.expression.getText(source)))
        importFrom(node.arguments[0].text, ['*']);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      importFrom(node.argument.literal.text, ['*']);
    } else if (ts.isFunctionLike(node) && node.body) {
      const first = lineOf(node.getStart(source));
      functions.push({ path: `${path}:${first}`, name: nameOf(node), lines: lineOf(node.end) - first + 1 });
    }
    ts.forEachChild(node, visit);
  }
  visit(source);
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement) && statement.exportClause && ts.isNamedExports(statement.exportClause)) {
      exports.push(...statement.exportClause.elements.map(({ name }) => name.text));
    }
    if (!statement.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) continue;
    if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) if (ts.isIdentifier(name)) exports.push(name.text);
    } else if (statement.name) exports.push(statement.name.text);
  }
  return { path, lines: text.split('\n').length - 1, imports, functions, exports: [...new Set(exports)] };
}

function nameOf(node) {
  const { name, parent } = node;
  return (name ?? parent.name)?.getText() ?? '';
}

function pathOf(importer, specifier) {
  const path = relative(ROOT, resolve(ROOT, dirname(importer), specifier));
  return path.replace(/\.js$/, '').replace(/\.tsx?$/, '');
}

function usedExports(files) {
  const taken = new Map();
  for (const { imports } of files) {
    for (const { from, names } of imports) {
      const all = taken.get(from) ?? new Set();
      taken.set(from, all);
      for (const name of names) all.add(name);
    }
  }
  return (path, name) => {
    const names = taken.get(path.replace(/\.tsx?$/, ''));
    return names !== undefined && (names.has(name) || names.has('*'));
  };
}

/** Returns whether an export has the name of its file, ignoring case. */
function isNamedAfter(path, exports) {
  const name = path
    .replace(/^.*\//, '')
    .replace(/\.tsx?$/, '')
    .replaceAll('-', '');
  return exports.some((one) => one.toLowerCase().replaceAll('_', '') === name);
}

/** Returns the groups of folders that import each other, directly or through others. */
function cyclesOf(sources) {
  const graph = new Map();
  for (const { path, imports } of sources) {
    const folder = dirname(path);
    const others = graph.get(folder) ?? new Set();
    graph.set(folder, others);
    for (const { from } of imports) if (dirname(from) !== folder) others.add(dirname(from));
  }
  const reached = new Map([...graph.keys()].map((folder) => [folder, reachableFrom(graph, folder)]));
  const groups = new Set();
  for (const [folder, others] of reached) {
    const mutual = [...others].filter((other) => reached.get(other)?.has(folder));
    if (mutual.length > 0) groups.add([...new Set([folder, ...mutual])].sort().join(', '));
  }
  return [...groups];
}

function reachableFrom(graph, start) {
  const reached = new Set(graph.get(start));
  for (const folder of reached) for (const next of graph.get(folder) ?? []) reached.add(next);
  return reached;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { files, lines, folders, ...lists } = measureStructure();
  const counts = Object.entries(lists).map(([name, list]) => [name, list.length]);
  process.stdout.write(`${JSON.stringify({ files, lines, folders, ...Object.fromEntries(counts) })}\n`);
  if (process.argv.includes('--list')) process.stdout.write(`${JSON.stringify(lists, null, 1)}\n`);
}
