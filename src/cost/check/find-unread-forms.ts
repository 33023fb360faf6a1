import {
  type ASTNode,
  type ConstDirectiveNode,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  valueFromASTUntyped,
} from 'graphql';
import { editsBetween } from '../../options/nearest-name.js';
import { COST_MEMBERS } from '../annotations/create-weight-reader.js';
import type { DirectiveNames } from '../annotations/directive-names.js';
import { LIST_SIZE_MEMBERS } from '../annotations/merge-list-sizes.js';
import type { SchemaProblem } from '../annotations/schema-problem.js';

interface Annotated {
  readonly coordinate: string;
  readonly astNode?: WithDirectives | null | undefined;
  readonly extensionASTNodes?: readonly WithDirectives[] | null | undefined;
  readonly isEnumValue?: boolean;
  /** Extensions of a field. Other packages may use them too. */
  readonly extensions?: Readonly<Record<string, unknown>>;
}

type WithDirectives = ASTNode & { readonly directives?: readonly ConstDirectiveNode[] | undefined };

const COMPLEXITY_ARGUMENTS = ['value', 'multipliers'];

/**
 * Returns a warning for each directive or extension that looks like an annotation but is ignored.
 */
export function findUnreadForms(schema: GraphQLSchema, names: DirectiveNames): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  for (const element of elementsOf(schema)) {
    const directives = [element.astNode, ...(element.extensionASTNodes ?? [])].flatMap(
      (node) => node?.directives ?? [],
    );
    const messages = directives.flatMap((directive) => [...unread(directive, names, element)]);
    const once = [...messages, ...repeated(directives, names), ...misspelled(element.extensions)];
    for (const message of new Set(once)) {
      problems.push({ severity: 'warning', coordinate: element.coordinate, message });
    }
  }
  return problems;
}

function* unread(
  directive: ConstDirectiveNode,
  names: DirectiveNames,
  { coordinate, isEnumValue }: Annotated,
): Iterable<string> {
  const name = directive.name.value;
  const given = (directive.arguments ?? []).map((argument) => argument.name.value);
  if (coordinate === 'schema') {
    const url = textOf(directive, 'url') ?? textOf(directive, 'feature');
    if (!url?.startsWith(COST_ADDRESS)) return;
    if (name !== 'link' || !/^\/v\d/.test(url.slice(COST_ADDRESS.length))) {
      yield `"${url}" is ignored: expected @link(url: "${COST_ADDRESS}/v0.1")`;
    }
  } else if (name === 'join__directive') {
    const inner = textOf(directive, 'name') ?? '';
    if (/(^|__)(cost|listSize)$/.test(inner)) yield `@${inner} inside @join__directive is ignored: ${ADVICE}`;
  } else if (names.cost.has(name)) {
    if (isEnumValue) yield `@${name} on an enum value has no effect: put it on the enum`;
    yield* unknownArguments(name, given, COST_MEMBERS);
    if (!given.includes('weight')) yield `@${name} has no weight and is ignored: expected @${name}(weight: "5")`;
  } else if (names.listSize.has(name)) {
    yield* unknownArguments(name, given, LIST_SIZE_MEMBERS);
  } else if (name === 'complexity') {
    yield* unknownArguments(name, given, COMPLEXITY_ARGUMENTS);
  } else if (/__(cost|listSize)$/.test(name)) {
    yield `@${name} is ignored, because no @link imports it under this name: ${ADVICE}`;
  } else if (name === 'cost' || name === 'listSize') {
    const ours: readonly string[] = name === 'cost' ? COST_MEMBERS : LIST_SIZE_MEMBERS;
    if (!given.some((argument) => ours.includes(argument))) return;
    const read = [...names[name]].map((each) => `@${each}`).join(' or ');
    yield `@${name} is ignored, because a @link renames it: write ${read}`;
  }
}

const COST_ADDRESS = 'https://specs.apollo.dev/cost';
const ADVICE = 'write @cost and @listSize, or price it in an overlay';

function* unknownArguments(name: string, given: readonly string[], known: readonly string[]): Iterable<string> {
  const unknown = given.filter((argument) => !known.includes(argument));
  if (unknown.length > 0) yield `@${name}: ignored arguments: ${unknown.join(', ')}; expected ${known.join(', ')}`;
}

/**
 * Warns about repeated weights, because only the first is used. Repeated list sizes need no
 * warning, because they are merged.
 */
function* repeated(directives: readonly ConstDirectiveNode[], { cost }: DirectiveNames): Iterable<string> {
  for (const names of [cost, new Set(['complexity'])]) {
    const all = directives.filter(({ name }) => names.has(name.value));
    if (all.length > 1) yield `several @${all[0]!.name.value}: only the first is used; write one`;
  }
}

const EXTENSIONS = ['cost', 'listSize', 'maxSize', 'defaultSize', 'complexity'];

/**
 * Warns about extensions whose name differs from a known one only by one letter, by case or by
 * separators. Other names may belong to other packages.
 */
function* misspelled(extensions: Annotated['extensions']): Iterable<string> {
  for (const name of Object.keys(extensions ?? {})) {
    if (EXTENSIONS.includes(name)) continue;
    const letters = name.toLowerCase().replace(/[-_ ]/g, '');
    const meant = EXTENSIONS.find((each) => {
      // No letter of `cost` may differ, because other words differ from it by one letter, such as
      // "host" or "cast".
      const allowed = each.length > 4 ? 1 : 0;
      return Math.abs(letters.length - each.length) <= allowed && editsBetween(letters, each.toLowerCase()) <= allowed;
    });
    if (meant !== undefined) yield `extensions.${name} is ignored; did you mean ${meant}?`;
  }
}

function textOf(directive: ConstDirectiveNode, name: string): string | undefined {
  const node = directive.arguments?.find((argument) => argument.name.value === name);
  const value: unknown = node && valueFromASTUntyped(node.value);
  return typeof value === 'string' ? value : undefined;
}

function* elementsOf(schema: GraphQLSchema): Generator<Annotated> {
  yield { coordinate: 'schema', astNode: schema.astNode, extensionASTNodes: schema.extensionASTNodes };
  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    yield { coordinate: type.name, astNode: type.astNode, extensionASTNodes: type.extensionASTNodes };
    if (isEnumType(type)) {
      for (const { name, astNode } of type.getValues()) {
        yield { coordinate: `${type.name}.${name}`, astNode, isEnumValue: true };
      }
    } else if (isInputObjectType(type)) {
      for (const { name, astNode } of Object.values(type.getFields())) {
        yield { coordinate: `${type.name}.${name}`, astNode };
      }
    } else if (isObjectType(type) || isInterfaceType(type)) {
      for (const { name, args, astNode, extensions } of Object.values(type.getFields())) {
        const coordinate = `${type.name}.${name}`;
        yield { coordinate, astNode, extensions };
        for (const argument of args) {
          yield { coordinate: `${coordinate}(${argument.name}:)`, astNode: argument.astNode };
        }
      }
    }
  }
}
