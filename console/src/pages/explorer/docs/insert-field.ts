import { syntaxTree } from '@codemirror/language';
import type { EditorState, TransactionSpec } from '@codemirror/state';
import {
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  type OperationTypeNode,
} from 'graphql';

type Node = ReturnType<ReturnType<typeof syntaxTree>['resolveInner']>;
type Field = GraphQLField<unknown, unknown>;

/**
 * Returns the change that inserts a field at the cursor. If the selection at the cursor has no such
 * field, a root field is inserted at the end of its operation. In an empty document, it is inserted
 * in a new operation. Undefined: there is no place for the field.
 */
export function insertionOf(
  state: EditorState,
  schema: GraphQLSchema,
  type: GraphQLNamedType,
  field: Field,
): TransactionSpec | undefined {
  const text = fieldText(field);
  if (state.doc.toString().trim() === '') {
    const root = rootOf(schema, type);
    if (root === undefined) return undefined;
    return { changes: { from: 0, to: state.doc.length, insert: `${root} {\n${indented(text, '  ')}\n}\n` } };
  }
  const { head } = state.selection.main;
  const parent = selectedType(state, schema, head);
  if (parent === undefined || !hasField(schema, parent, type)) return atTheEnd(state, schema, type, text);
  const line = state.doc.lineAt(head);
  const before = line.text.slice(0, head - line.from);
  const indent = /^\s*/.exec(line.text)![0] + (before.trimEnd().endsWith('{') ? '  ' : '');
  const after = line.text.slice(head - line.from).trim() === '' ? '' : `\n${/^\s*/.exec(line.text)![0]}`;
  const inserted = before.trim() === '' ? indented(text, indent).trimStart() : `\n${indented(text, indent)}`;
  return { changes: { from: head, insert: inserted + after }, selection: { anchor: head + inserted.length } };
}

/** Returns the change that adds a field as the last one of the first operation of its root type. */
function atTheEnd(
  state: EditorState,
  schema: GraphQLSchema,
  type: GraphQLNamedType,
  text: string,
): TransactionSpec | undefined {
  const sets = syntaxTree(state)
    .topNode.getChildren('OperationDefinition')
    .flatMap((operation) => operation.getChild('SelectionSet') ?? []);
  const set = sets.find((one) => typeOfSelection(state, schema, one) === type);
  if (set === undefined || state.sliceDoc(set.to - 1, set.to) !== '}') return undefined;
  const line = state.doc.lineAt(set.to - 1);
  const isAlone = state.sliceDoc(line.from, set.to - 1).trim() === '';
  const insert = `${isAlone ? '' : '\n'}${indented(text, '  ')}\n`;
  return { changes: { from: set.to - 1, insert }, selection: { anchor: set.to - 2 + insert.length } };
}

/** Returns the operation keyword of a root type. */
function rootOf(schema: GraphQLSchema, type: GraphQLNamedType): string | undefined {
  const operations = ['query', 'mutation', 'subscription'] as OperationTypeNode[];
  return operations.find((operation) => schema.getRootType(operation) === type);
}

/** Returns whether a selection of the parent type may contain the fields of the type. */
function hasField(schema: GraphQLSchema, parent: GraphQLNamedType, type: GraphQLNamedType): boolean {
  return parent === type || (isInterfaceType(type) && isObjectType(parent) && schema.isSubType(type, parent));
}

/** Returns the type of the innermost selection around a position. */
function selectedType(state: EditorState, schema: GraphQLSchema, position: number): GraphQLNamedType | undefined {
  let node: Node | null = syntaxTree(state).resolveInner(position, 0);
  while (node && node.name !== 'SelectionSet') {
    if (node.name === 'Arguments' || node.name === 'Directives') return undefined;
    node = node.parent;
  }
  return node ? typeOfSelection(state, schema, node) : undefined;
}

function typeOfSelection(state: EditorState, schema: GraphQLSchema, set: Node): GraphQLNamedType | undefined {
  const textOf = (node: Node | null | undefined) => node && state.sliceDoc(node.from, node.to);
  const owner = set.parent;
  switch (owner?.name) {
    case 'OperationDefinition':
      return schema.getRootType((textOf(owner.getChild('OperationType')) ?? 'query') as OperationTypeNode) ?? undefined;
    case 'FragmentDefinition':
    case 'InlineFragment': {
      const condition = textOf(owner.getChild('TypeCondition')?.getChild('NamedType'));
      if (condition != null) return schema.getType(condition);
      return typeAround(state, schema, owner);
    }
    case 'Field': {
      const parent = typeAround(state, schema, owner);
      const name = textOf(owner.getChild('FieldName'));
      const field = (isObjectType(parent) || isInterfaceType(parent)) && name != null && parent.getFields()[name];
      return field ? getNamedType(field.type) : undefined;
    }
    default:
      return undefined;
  }
}

function typeAround(state: EditorState, schema: GraphQLSchema, node: Node): GraphQLNamedType | undefined {
  let outer = node.parent;
  while (outer && outer.name !== 'SelectionSet') outer = outer.parent;
  return outer ? typeOfSelection(state, schema, outer) : undefined;
}

/** Returns a valid selection of a field, with required arguments and `__typename` of objects. */
export function fieldText({ name, args, type }: Field): string {
  const required = args.filter(isRequiredArgument).map((arg) => `${arg.name}: ${exampleOf(arg.type)}`);
  const given = required.length > 0 ? `(${required.join(', ')})` : '';
  const named = getNamedType(type);
  return `${name}${given}${isCompositeType(named) ? ' {\n  __typename\n}' : ''}`;
}

const EXAMPLES: Readonly<Record<string, string>> = { Int: '1', Float: '1', Boolean: 'true' };

/** Returns a value of an input type, to be edited. */
function exampleOf(type: GraphQLInputType, depth = 0): string {
  if (isNonNullType(type)) return exampleOf(type.ofType, depth);
  if (isListType(type)) return `[${exampleOf(type.ofType, depth)}]`;
  if (isEnumType(type)) return type.getValues()[0]?.name ?? 'null';
  if (!isInputObjectType(type)) return EXAMPLES[type.name] ?? '""';
  // GraphQL forbids input types that require themselves, but a schema may nest required inputs
  // deeply.
  const fields = depth > 4 ? [] : Object.values(type.getFields()).filter(isRequiredInputField);
  return `{ ${fields.map((field) => `${field.name}: ${exampleOf(field.type, depth + 1)}`).join(', ')} }`;
}

function indented(text: string, indent: string): string {
  return text
    .split('\n')
    .map((line) => indent + line)
    .join('\n');
}
