import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';

const GROWS = new Set(['push', 'unshift', 'add', 'set']);
/**
 * Functions that run their callback before they return. A container that the callback fills counts
 * as filled by the function around this call.
 */
const CALLED_AT_ONCE = new Set([
  ...['forEach', 'map', 'flatMap', 'filter', 'find', 'some', 'every', 'reduce', 'sort', 'replace', 'from'],
]);

/**
 * Returns the arrays, maps and sets that may outlive the call that creates them, as `file name`.
 * These are containers that a nested function fills, module variables, fields of classes, and
 * members of objects (`file .name`).
 */
export function findContainers(folder: URL, except: RegExp): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const read = (file: string) => containersOf(file, readFileSync(new URL(file, folder), 'utf8'));
  return files
    .filter((file) => !except.test(file))
    .flatMap(read)
    .sort();
}

function containersOf(file: string, text: string): string[] {
  if (!/\.(?:push|unshift|add|set)\(/.test(text)) return [];
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = new Set<string>();
  const growing = new Set([...text.matchAll(/\.(\w+)\.(?:push|unshift|add|set)\(/g)].map(([, name]) => name!));
  const look = (node: ts.Node): void => {
    if (ts.isPropertyDeclaration(node) && isContainer(node.initializer)) found.add(`${file} ${node.name.getText()}`);
    if (ts.isPropertyAssignment(node) && isContainer(node.initializer) && growing.has(node.name.getText()))
      found.add(`${file} .${node.name.getText()}`);
    const filled = filledBy(node);
    if (filled) {
      const declaration = declarationOf(filled);
      if (declaration && isContainer(declaration.initializer) && !isSameFunction(declaration, node))
        found.add(`${file} ${filled.text}`);
    }
    ts.forEachChild(node, look);
  };
  look(source);
  return [...found];
}

/** Returns the variable that a call such as `waiting.push(one)` fills. */
function filledBy(node: ts.Node): ts.Identifier | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { name, expression } = node.expression;
  return GROWS.has(name.text) && ts.isIdentifier(expression) ? expression : undefined;
}

function declarationOf(name: ts.Identifier): ts.VariableDeclaration | undefined {
  for (let scope: ts.Node = name.parent; scope !== undefined; scope = scope.parent) {
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope) && !ts.isCaseClause(scope)) {
      const hidden = ts.isFunctionLike(scope) && scope.parameters.some((one) => one.name.getText() === name.text);
      if (hidden) return undefined;
      continue;
    }
    for (const statement of scope.statements) {
      if (!ts.isVariableStatement(statement)) continue;
      for (const one of statement.declarationList.declarations)
        if (ts.isIdentifier(one.name) && one.name.text === name.text) return one;
    }
  }
  return undefined;
}

function isContainer(node: ts.Expression | undefined): boolean {
  if (node === undefined) return false;
  if (ts.isArrayLiteralExpression(node)) return node.elements.length === 0;
  return ts.isNewExpression(node) && /^(Map|Set)$/.test(node.expression.getText());
}

function isSameFunction(declaration: ts.Node, use: ts.Node): boolean {
  return functionOf(declaration) === functionOf(use);
}

function functionOf(node: ts.Node): ts.Node | undefined {
  for (let at: ts.Node = node.parent; at !== undefined; at = at.parent) {
    if (!ts.isFunctionLike(at)) continue;
    const call = at.parent;
    if (!ts.isCallExpression(call) || !call.arguments.includes(at as ts.Expression)) return at;
    const { expression } = call;
    if (!ts.isPropertyAccessExpression(expression) || !CALLED_AT_ONCE.has(expression.name.text)) return at;
  }
  return undefined;
}
