// Checks that the console takes its visible texts from console/src/text, so that all texts can be
// reviewed together. A literal in JSX text, or in one of the attributes and properties below, must
// not contain letters.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCES = join(ROOT, 'console/src');
const SKIPPED = new Set(['text', 'generated'].map((name) => join(SOURCES, name)));
const ATTRIBUTES = new Set([
  'action',
  'alt',
  'aria-description',
  'aria-label',
  'aside',
  'help',
  'label',
  'lead',
  'placeholder',
  'title',
  'unit',
]);
/** Properties of columns, chart layers and form fields. */
const PROPERTIES = new Set(['help', 'label', 'title']);

/** Operators whose result may be, or contain, the text of an operand. */
const JOINING = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
  ts.SyntaxKind.PlusToken,
]);

const problems = sourcesBelow(SOURCES).flatMap(problemsOf);
for (const problem of problems) process.stderr.write(`${problem}\n`);
process.exitCode = problems.length > 0 ? 1 : 0;

function sourcesBelow(folder) {
  if (SKIPPED.has(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return sourcesBelow(path);
    return /\.tsx?$/.test(entry.name) ? [path] : [];
  });
}

function problemsOf(path) {
  const kind = path.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true, kind);
  const found = [];
  const report = (node, text) => {
    if (!/\p{L}/u.test(text)) return;
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
    const shown = JSON.stringify(text.trim().replaceAll(/\s+/g, ' '));
    found.push(`${relative(ROOT, path)}:${line + 1}: move the visible text ${shown} to console/src/text`);
  };
  const visit = (node) => {
    if (ts.isJsxText(node)) report(node, node.text);
    else if (ts.isJsxAttribute(node) && ATTRIBUTES.has(node.name.getText(source))) check(node.initializer, report);
    else if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) check(node, report);
    else if (ts.isPropertyAssignment(node) && PROPERTIES.has(nameOf(node))) check(node.initializer, report);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function nameOf({ name }) {
  return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : undefined;
}

/** Reports the literals that an expression may evaluate to. Arguments of calls are not visible. */
function check(node, report) {
  if (node === undefined) return;
  if (ts.isStringLiteralLike(node)) report(node, node.text);
  else if (ts.isTemplateExpression(node)) {
    report(node, [node.head, ...node.templateSpans.map(({ literal }) => literal)].map(({ text }) => text).join(' '));
    for (const { expression } of node.templateSpans) check(expression, report);
  } else if (ts.isConditionalExpression(node)) {
    check(node.whenTrue, report);
    check(node.whenFalse, report);
  } else if (ts.isBinaryExpression(node) && JOINING.has(node.operatorToken.kind)) {
    // The left side of && is the result only if it is falsy. A falsy value is not visible text, so
    // only the right side is checked.
    if (node.operatorToken.kind !== ts.SyntaxKind.AmpersandAmpersandToken) check(node.left, report);
    check(node.right, report);
  } else if (ts.isArrayLiteralExpression(node)) {
    for (const element of node.elements) check(element, report);
  } else if (ts.isJsxExpression(node) || ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) {
    check(node.expression, report);
  }
}
