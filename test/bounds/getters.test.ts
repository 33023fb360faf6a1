import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, test } from 'vitest';

/**
 * Object literals with a getter, which V8 keeps as hash tables: see src/runtime/with-getters.ts. What is called on every request uses that
 * instead, has methods, or is a class. These are not called so often.
 */
const NOT_ON_THE_WAY_OF_A_REQUEST = [
  'admin/schema/connection.ts',
  'cost/schema/create-schema-model.ts',
  'cost/schema/type-set.ts',
  'tollgate/create-tollgate.ts',
  'demo/demo-traffic.ts',
  'gateway/answer/growing-bytes.ts',
  'gateway/answer/split-parts.ts',
  'observability/shadow-report.ts',
  'rules/live/change-feed.ts',
  'server/commands/sample-api.ts',
];

test('no object literal that a request passes has a getter', () => {
  const folder = new URL('../../src/', import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
  const having = files.filter((file) => hasGetterInLiteral(readFileSync(new URL(file, folder), 'utf8')));
  expect(having.filter((file) => !file.startsWith('console/')).sort()).toEqual([...NOT_ON_THE_WAY_OF_A_REQUEST].sort());
});

function hasGetterInLiteral(text: string): boolean {
  if (!/\bget \w+\(\)/.test(text)) return false;
  const isFound = (node: ts.Node): boolean =>
    (ts.isGetAccessor(node) && ts.isObjectLiteralExpression(node.parent) && !isOfPrototype(node.parent)) ||
    (ts.forEachChild(node, (child) => isFound(child) || undefined) ?? false);
  return isFound(ts.createSourceFile('x.tsx', text, ts.ScriptTarget.Latest, true));
}

/** The second argument of `withGetters`. */
function isOfPrototype(literal: ts.ObjectLiteralExpression): boolean {
  const { parent } = literal;
  return (
    ts.isCallExpression(parent) && parent.expression.getText() === 'withGetters' && parent.arguments[1] === literal
  );
}
