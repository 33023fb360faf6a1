// Checks that the regular expressions of the source files take linear time. An unbounded repetition
// that can begin at any position takes quadratic time, and callers can send texts of 100 kB.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { isSlowExpression } from './is-slow-expression.mjs';

const ROOT = new URL('..', import.meta.url);
const FOLDERS = ['src/', 'packages/client/src/'];

/**
 * Expressions that are never applied to text from callers, each with the text to which it is
 * applied.
 */
const OTHER_TEXT = new Map([
  [String.raw`src/graphiql/cost-plugin.ts /^[ \t]*#.*$/gm`, "the reader's own document, in their browser"],
  [
    String.raw`src/admin/schema/print-admin-sdl.ts /^( *)"""\n *([^\n]*[^\n"\\])\n *"""$/gm`,
    'the schema of the admin API',
  ],
  [
    String.raw`src/cost/manifest/hash-operation.ts /"""(?:\\"""|[\s\S])*?"""|"(?:\\.|[^"\\\n])*"|#.*|[\s,\uFEFF]+|\.\.\.|\w+|-?\d[\w.+-]*|[\s\S]/g`,
    'documents of developers, for a manifest',
  ],
  [
    String.raw`packages/client/src/hash-operation.ts /"""(?:\\"""|[\s\S])*?"""|"(?:\\.|[^"\\\n])*"|#.*|[\s,\uFEFF]+|\.\.\.|\w+|-?\d[\w.+-]*|[\s\S]/g`,
    "documents of the client's program",
  ],
  [
    String.raw`src/gateway/answer/create-splitter.ts /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i`,
    'a header of the upstream, 16 KiB',
  ],
  [String.raw`src/limiter/redis/scripts.ts /^#!lua(?: flags=(\S+))?$/m`, 'the Lua scripts'],
  [String.raw`src/limiter/redis/scripts.ts /--[^\n]*|\b[A-Z][A-Z_]+(?:\.[A-Z][A-Z_0-9]*)?\b/g`, 'the Lua scripts'],
  [String.raw`src/server/config/read-pools.ts /^(\w+)\s*:\s*(.*)$/`, 'a setting'],
  ['src/postgres/build-concurrently.ts /--.*$/gm', 'the migrations'],
  ['src/postgres/limited-pool.ts /([?&])statement_timeout=[^&]*(?:&|$)/', 'a setting'],
  [
    'src/server/commands/cost/extract-tagged-documents.ts /\\/\\/[^\\n]*|\\/\\*[\\s\\S]*?\\*\\/|\'(?:\\\\.|[^\'\\\\\\n])*\'|"(?:\\\\.|[^"\\\\\\n])*"|`(?:\\\\[\\s\\S]|[^`\\\\])*`/g',
    'code of developers',
  ],
  ['src/server/config/settings.ts /, got .*$/s', 'a setting'],
  ['src/server/config/settings.ts /[,;] got .*$/s', 'a setting'],
  [
    String.raw`src/server/config/find-unknown-variables.ts /_SERVICE_(?:HOST|PORT)(?:_\w+)?$|_PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?$/`,
    'names of environment variables',
  ],
]);

const problems = [];
for (const folder of FOLDERS) {
  const files = readdirSync(new URL(folder, ROOT), { recursive: true, encoding: 'utf8' });
  for (const file of files) if (/\.tsx?$/.test(file)) checkFile(`${folder}${file}`);
}
for (const key of OTHER_TEXT.keys()) problems.push(`${fileURLToPath(import.meta.url)}: ${key} is no longer needed`);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

function checkFile(path) {
  const text = readFileSync(new URL(path, ROOT), 'utf8');
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest);
  visit(source);

  function visit(node) {
    if (ts.isRegularExpressionLiteral(node)) checkExpression(path, lineOf(node), node.text);
    ts.forEachChild(node, visit);
  }

  function lineOf(node) {
    return source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
  }
}

function checkExpression(path, line, text) {
  const end = text.lastIndexOf('/');
  if (!isSlowExpression(text.slice(1, end), text.slice(end + 1)) || OTHER_TEXT.delete(`${path} ${text}`)) return;
  problems.push(
    `${path}:${line}: ${text} takes quadratic time: bound the repetition, or begin with ^ or with a character that the repetition cannot contain`,
  );
}
