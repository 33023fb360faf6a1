import { join } from 'node:path';
import { buildSchema, parse } from 'graphql';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { DEFAULT_DOCUMENT_LIMITS } from '../../src/documents/measure-document.js';
import { settingsSchema } from '../../src/server/config/setting-flags.js';
import { PAGES, ROOT } from './documents.js';

// Each default occurs in the documentation of its option and in the code that uses it. These tests
// check that the two are equal.

const numberOf = (text: string) => Number(text.replace(/[,_](?=\d{3})/g, ''));

/**
 * Options that the code passes on under another or an ambiguous name, each with the option or
 * parameter that receives it.
 */
const PASSED_ON: Readonly<Record<string, string>> = {
  'src/tollgate/tollgate-options.ts documentCacheBytes': 'src/documents/document-store.ts maxBytes',
  'src/tollgate/tollgate-options.ts identityDeadlineMs': 'src/rules/live/subject-cache.ts deadlineMs',
  'src/rules/live/live-rules.ts identityDeadlineMs': 'src/rules/live/subject-cache.ts deadlineMs',
  'src/server/http/create-app.ts requestsPerTurn': 'perTurn',
};

/** Options whose defaults depend on the profile. A separate test checks them. */
const BY_PROFILE = ['defaultListSize', 'introspection'];

/** Returns the cells of each row of the tables of a page, including the header rows. */
const rowsOf = (page: string): string[][] =>
  PAGES.get(page)!
    .split('\n')
    .filter((line) => line.startsWith('|') && !line.startsWith('| ---'))
    .map((line) =>
      line
        .split(/(?<!\\)\|/)
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );

describe('options in docs/reference.md', () => {
  const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile).config;
  const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
  const isSource = (file: string) => /\/src\/.*(?<!\.d)\.ts$/.test(file) && !/\/(console|packages)\//.test(file);
  const settings = { ...options, noEmit: true, incremental: false, noLib: true, types: [] };
  // Packages do not contain Tollgate's own defaults, and reading them would take most of the time.
  const host: ts.CompilerHost = {
    ...ts.createCompilerHost(settings),
    resolveModuleNameLiterals: (modules, file) =>
      modules.map(({ text }) => {
        const isOwn = text.startsWith('.');
        return isOwn ? ts.resolveModuleName(text, file, settings, ts.sys) : { resolvedModule: undefined };
      }),
  };
  const program = ts.createProgram(fileNames.filter(isSource), settings, host);
  const checker = program.getTypeChecker();

  /** Numbers that the code uses as defaults, by the declaration of the option. */
  const taken = new Map<ts.Node, Set<number>>();
  /** The same numbers by name, for an option that is passed on under the same name. */
  const takenByName = new Map<string, Set<number>>();
  /** Numbers of the `@default` tags, by the declaration of the option. */
  const documented = new Map<ts.PropertySignature, number>();

  for (const source of program.getSourceFiles().filter(({ fileName }) => isSource(fileName))) look(source);

  function look(node: ts.Node): void {
    if (ts.isPropertySignature(node)) {
      const text = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === 'default')?.comment;
      const stated = /^([\d_]+)(?=$|[;:,] )/.exec(typeof text === 'string' ? text.trim() : '')?.[1];
      if (stated !== undefined) documented.set(node, numberOf(stated));
    }
    // function f({ fee = 1 }: Options)
    if (ts.isBindingElement(node) && node.initializer && ts.isObjectBindingPattern(node.parent)) {
      const name = (node.propertyName ?? node.name).getText();
      add(checker.getTypeAtLocation(node.parent).getProperty(name), name, node.initializer);
    }
    // function f(fee = 1)
    if (ts.isParameter(node) && node.initializer) add(undefined, node.name.getText(), node.initializer);
    // const DEFAULTS: Options = { fee: 1 }
    if (
      ts.isVariableDeclaration(node) &&
      node.type &&
      node.initializer &&
      ts.isObjectLiteralExpression(node.initializer)
    ) {
      for (const member of node.initializer.properties.filter(ts.isPropertyAssignment)) {
        const name = member.name.getText();
        if (node.name.getText().startsWith('DEFAULT'))
          add(checker.getTypeAtLocation(node).getProperty(name), name, member.initializer);
      }
    }
    // options.fee ?? 1
    if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken &&
      ts.isPropertyAccessExpression(node.left)
    ) {
      add(checker.getSymbolAtLocation(node.left.name), node.left.name.text, node.right);
    }
    // { ...DEFAULTS, ...options }
    if (ts.isObjectLiteralExpression(node)) {
      const [first, ...others] = node.properties;
      if (first && ts.isSpreadAssignment(first) && others.length > 0) {
        for (const [name, value] of membersOf(first.expression)) {
          for (const other of others.filter(ts.isSpreadAssignment))
            add(checker.getTypeAtLocation(other.expression).getProperty(name), name, value);
        }
      }
    }
    ts.forEachChild(node, look);
  }

  function add(option: ts.Symbol | undefined, name: string, initializer: ts.Expression): void {
    const value = numberIn(initializer);
    if (value === undefined) return;
    takenByName.set(name, (takenByName.get(name) ?? new Set()).add(value));
    for (const declaration of option?.declarations ?? [])
      taken.set(declaration, (taken.get(declaration) ?? new Set()).add(value));
  }

  /** Returns the value of a constant expression, or undefined for any other expression. */
  function numberIn(node: ts.Expression): number | undefined {
    if (ts.isNumericLiteral(node)) return numberOf(node.text);
    if (ts.isParenthesizedExpression(node)) return numberIn(node.expression);
    if (ts.isBinaryExpression(node)) {
      const [left, right] = [numberIn(node.left), numberIn(node.right)];
      if (left === undefined || right === undefined) return undefined;
      if (node.operatorToken.kind === ts.SyntaxKind.AsteriskToken) return left * right;
      return node.operatorToken.kind === ts.SyntaxKind.AsteriskAsteriskToken ? left ** right : undefined;
    }
    // feeOption.default is the default in its declaration: feeOption = defineNumber({ default: 1 })
    if (ts.isPropertyAccessExpression(node) && node.name.text === 'default') return defaultOf(node.expression);
    const declaration = declarationOf(node);
    if (!declaration) return undefined;
    if (ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration))
      return declaration.initializer && numberIn(declaration.initializer);
    return undefined;
  }

  function defaultOf(option: ts.Expression): number | undefined {
    const declaration = declarationOf(option);
    const isConstant = declaration && (ts.isVariableDeclaration(declaration) || ts.isPropertyAssignment(declaration));
    const initializer = isConstant ? declaration.initializer : memberOf(option);
    const [declared] = initializer && ts.isCallExpression(initializer) ? initializer.arguments : [];
    if (!declared || !ts.isObjectLiteralExpression(declared)) return undefined;
    const member = declared.properties.filter(ts.isPropertyAssignment).find((one) => one.name.getText() === 'default');
    return member && numberIn(member.initializer);
  }

  /**
   * Returns the value of the member `fee` for the expression `OPTIONS.fee`, where
   * `OPTIONS = { fee: ... } satisfies ...`. Without the standard library, the checker does not know
   * the type of such a table.
   */
  function memberOf(node: ts.Expression): ts.Expression | undefined {
    if (!ts.isPropertyAccessExpression(node)) return undefined;
    return membersOf(node.expression).find(([name]) => name === node.name.text)?.[1];
  }

  function membersOf(node: ts.Expression): [string, ts.Expression][] {
    const declaration = declarationOf(node);
    let literal = declaration && ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
    while (literal && (ts.isAsExpression(literal) || ts.isSatisfiesExpression(literal))) literal = literal.expression;
    if (!literal || !ts.isObjectLiteralExpression(literal)) return [];
    return literal.properties.filter(ts.isPropertyAssignment).map((one) => [one.name.getText(), one.initializer]);
  }

  function placeOf(option: ts.PropertySignature): string {
    return `${option.getSourceFile().fileName.slice(ROOT.length)} ${option.name.getText()}`;
  }

  function declarationOf(node: ts.Expression): ts.Declaration | undefined {
    const name = ts.isPropertyAccessExpression(node) ? node.name : node;
    if (!ts.isIdentifier(name)) return undefined;
    let symbol = checker.getSymbolAtLocation(name);
    if (symbol && symbol.flags & ts.SymbolFlags.Alias) symbol = checker.getAliasedSymbol(symbol);
    return symbol?.valueDeclaration;
  }

  it('the documented default numbers of options equal those in the code', () => {
    expect(documented.size).toBeGreaterThan(50);
    const places = new Map([...documented.keys()].map((option) => [placeOf(option), option]));
    const wrong = [...documented].flatMap(([option, stated]) => {
      const name = option.name.getText();
      if (BY_PROFILE.includes(name)) return [];
      const target = PASSED_ON[placeOf(option)] ?? name;
      const is = taken.get(option) ?? taken.get(places.get(target) ?? option) ?? takenByName.get(target);
      if (is === undefined) return [`${placeOf(option)}: documented as ${stated}, but no code uses a default`];
      return is.size === 1 && is.has(stated)
        ? []
        : [`${placeOf(option)}: documented as ${stated}, is ${[...is].join(' or ')}`];
    });
    expect(wrong).toEqual([]);
    expect(Object.keys(PASSED_ON).filter((place) => !places.has(place))).toEqual([]);
  });

  it('the documented default prices equal those of the default profile', () => {
    const schema = buildSchema('type Query { things: [Thing] } type Thing { id: ID }');
    const costOf = (query: string) => createCostAnalyzer(schema).compile(parse(query)).estimate({}).cost;
    const rows = rowsOf('docs/reference.md');
    const stated = (option: string) => rows.find(([name]) => name === `\`${option}\``)?.[2];
    expect(stated('defaultListSize')).toMatch(new RegExp(`^${costOf('{ things { id } }')};`));
    expect(stated('introspection')).toMatch(new RegExp(`^${costOf('{ __schema { types { name } } }')};`));
  });
});

describe('document limits in docs/responses.md', () => {
  it('the documented document limits equal those in the code', () => {
    const stated = rowsOf('docs/responses.md').flatMap(([name = '', number = '']) => {
      const [, option] = /^`TOLLGATE_MAX_\w+` \(`(\w+)`\)$/.exec(name) ?? [];
      return option ? [[option, numberOf(number)] as const] : [];
    });
    expect(Object.fromEntries(stated)).toEqual(DEFAULT_DOCUMENT_LIMITS);
    const body = rowsOf('docs/responses.md').find(([name]) => name === '`TOLLGATE_MAX_BODY_BYTES`');
    expect(numberOf(body![1]!)).toBe(settingsSchema.parse({}).TOLLGATE_MAX_BODY_BYTES);
  });
});
