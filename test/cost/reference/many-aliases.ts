import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  type InlineFragmentNode,
  isAbstractType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Random } from './random.js';

const MOST_COPIES = 60;
const MOST_NODES_OF_A_COPY = 12;

/**
 * Returns the operation with additional copies of the fields below interfaces and unions, under a
 * dozen aliases. Most copies differ from their original only in the alias. Some also differ in an
 * argument, a condition or the selections below, and some are selected twice.
 */
export function withManyAliases(random: Random, document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const types = new TypeInfo(schema);
  let left = MOST_COPIES;
  let named = 0;

  function copiesOf(field: FieldNode): SelectionNode[] {
    const prefix = `m${named++}_`;
    const count = 9 + random.below(8);
    left -= count;
    return Array.from({ length: count }).flatMap((_, at): SelectionNode[] => {
      const alias = { kind: Kind.NAME, value: `${prefix}${at}` } as const;
      const copy: FieldNode = { ...field, alias };
      const { selectionSet } = field;
      switch (random.below(10)) {
        case 0:
          return [{ ...copy, arguments: field.arguments?.map((each) => otherwise(random, each)) ?? [] }];
        case 1:
          return [selectionSet ? { ...copy, selectionSet: withTypename(selectionSet, `t${at}`) } : copy];
        case 2:
          return [fragmentOf(copy)];
        case 3:
          return [copy, fragmentOf(selectionSet ? { ...copy, selectionSet: withTypename(selectionSet, 't') } : copy)];
        case 4:
          return [copy, { ...copy }];
        case 5:
          return [field.directives?.length ? copy : { ...copy, directives: [includeIf('b0')] }];
        default:
          return [copy];
      }
    });
  }

  return visit(
    document,
    visitWithTypeInfo(types, {
      SelectionSet: {
        leave(node) {
          if (!isAbstractType(types.getParentType())) return undefined;
          const selections = node.selections.flatMap((selection) => {
            if (selection.kind !== Kind.FIELD || left <= 0 || nodesIn(selection) > MOST_NODES_OF_A_COPY)
              return selection;
            return random.chance(0.6) ? [selection, ...copiesOf(selection)] : selection;
          });
          return { ...node, selections };
        },
      },
    }),
  );
}

/**
 * Returns the operation without equal selections. Each selection gets an `@include` with a
 * different argument `number`, which the directive ignores.
 */
export function withoutAlikeSelections(document: DocumentNode): DocumentNode {
  let count = 0;
  return visit(document, {
    Field: {
      leave: (node) => {
        const number: ArgumentNode = {
          kind: Kind.ARGUMENT,
          name: { kind: Kind.NAME, value: 'number' },
          value: { kind: Kind.INT, value: String(count++) },
        };
        const always: ArgumentNode = {
          kind: Kind.ARGUMENT,
          name: { kind: Kind.NAME, value: 'if' },
          value: { kind: Kind.BOOLEAN, value: true },
        };
        const include = {
          kind: Kind.DIRECTIVE,
          name: { kind: Kind.NAME, value: 'include' },
          arguments: [always, number],
        } as const;
        return { ...node, directives: [...(node.directives ?? []), include] };
      },
    },
  });
}

function otherwise(random: Random, argument: ArgumentNode): ArgumentNode {
  return argument.value.kind === Kind.INT
    ? { ...argument, value: { kind: Kind.INT, value: String(random.below(4)) } }
    : argument;
}

function withTypename(node: SelectionSetNode, alias: string): SelectionSetNode {
  const typename: FieldNode = {
    kind: Kind.FIELD,
    alias: { kind: Kind.NAME, value: alias },
    name: { kind: Kind.NAME, value: '__typename' },
  };
  return { ...node, selections: [...node.selections, typename] };
}

function fragmentOf(field: FieldNode): InlineFragmentNode {
  return { kind: Kind.INLINE_FRAGMENT, selectionSet: { kind: Kind.SELECTION_SET, selections: [field] } };
}

function includeIf(variable: string) {
  const value = { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: variable } } as const;
  const argument: ArgumentNode = { kind: Kind.ARGUMENT, name: { kind: Kind.NAME, value: 'if' }, value };
  return { kind: Kind.DIRECTIVE, name: { kind: Kind.NAME, value: 'include' }, arguments: [argument] } as const;
}

function nodesIn(node: SelectionNode): number {
  let nodes = 0;
  visit(node, { Field: () => void nodes++ });
  return nodes;
}
