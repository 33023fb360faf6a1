import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getNamedType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import type { SchemaModel, SlicingPath, TypeModel } from '../schema/schema-model.js';

/** A place of an operation that sizes lists and whose value can be changed. */
export interface SizePlace {
  /** Field and argument, such as `Query.users(first:)` or `Query.users(page.first:)`. */
  readonly argument: string;
  /** Name of the variable with the size. For a literal, the variable that replaces it. */
  readonly variable: string;
  /** Path to the size inside the value of the variable. Empty if the variable is the size. */
  readonly below: readonly string[];
  /** The number in the document. Undefined if a variable sets the size. */
  readonly literal: number | undefined;
  /** Size if the variable is absent; undefined if it is unknown. */
  readonly whenAbsent: number | undefined;
}

interface SizedOperation {
  readonly places: readonly SizePlace[];
  /**
   * The document with a variable in place of each literal of `places`. Undefined if there are no
   * such literals.
   */
  readonly document: DocumentNode | undefined;
}

/** Maximum number of places that are considered. The first ones in the document are chosen. */
const MAX_PLACES = 4;

/**
 * Finds the arguments of an operation that size lists by a number. Equal numbers for the same
 * argument count as one place, so that fields that execution merges stay equal.
 */
export function findSizeArguments({
  model,
  document,
  operation,
}: {
  readonly model: SchemaModel;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}): SizedOperation {
  const places = new Map<string, SizePlace>();
  const added: VariableDefinitionNode[] = [];
  const isDefined = new Set(operation.variableDefinitions?.map(({ variable }) => variable.name.value));

  function add(key: string, place: SizePlace): SizePlace | undefined {
    const known = places.get(key);
    if (known || places.size >= MAX_PLACES) return known;
    places.set(key, place);
    return place;
  }

  /** Returns the value with variables in place of literals. */
  function replace(value: ValueNode, path: readonly string[], { argument, slicing }: Sized): ValueNode {
    if (value.kind === Kind.VARIABLE) {
      const { value: variable } = value.name;
      const whenAbsent = path.length === 0 ? slicing.whenAbsent : undefined;
      add(`$${variable}.${path.join('.')}`, { argument, variable, below: path, literal: undefined, whenAbsent });
      return value;
    }
    const [name, ...rest] = path;
    if (name !== undefined) {
      if (value.kind !== Kind.OBJECT) return value;
      const replaced = value.fields.map((field) =>
        field.name.value === name ? { ...field, value: replace(field.value, rest, { argument, slicing }) } : field,
      );
      return { ...value, fields: replaced };
    }
    if (value.kind !== Kind.INT) return value;
    const variable = `__size${places.size}`;
    const literal = Number(value.value);
    if (isDefined.has(variable)) return value;
    const key = `${argument}${value.value}`;
    const isNew = !places.has(key);
    const place = add(key, { argument, variable, below: [], literal, whenAbsent: undefined });
    if (place === undefined) return value;
    if (isNew) added.push(definitionOf(variable, slicing.typeName, value.value));
    return { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: place.variable } };
  }

  const types: (TypeModel | undefined)[] = [];
  const used = new Set<string>();

  /** Uses `visit`, because recursion could overflow the call stack for a deeply nested document. */
  function replaceIn(selectionSet: SelectionSetNode, type: TypeModel | undefined): SelectionSetNode {
    const leave = () => {
      types.pop();
    };
    types.push(type);
    const replaced: SelectionSetNode = visit(selectionSet, {
      Field: {
        enter(node) {
          const field = types.at(-1)?.field(node.name.value);
          types.push(field?.child);
          if (!field || field.slicing.length === 0) return undefined;
          const sizes = field.slicing.filter(({ form }) => form === 'number');
          return {
            ...node,
            arguments: (node.arguments ?? []).map((one) => {
              const path = sizes.find(({ argument }) => argument.name === one.name.value);
              if (!path) return one;
              const argument = `${field.coordinate}(${[path.argument.name, ...path.below].join('.')}:)`;
              const slicing = { typeName: typeNameAt(path), whenAbsent: absentSize(path, field.fallbackSize) };
              return { ...one, value: replace(one.value, path.below, { argument, slicing }) };
            }),
          };
        },
        leave,
      },
      InlineFragment: {
        enter({ typeCondition }) {
          types.push(typeCondition ? model.composite(typeCondition.name.value) : types.at(-1));
        },
        leave,
      },
      FragmentSpread({ name }) {
        used.add(name.value);
      },
    });
    types.pop();
    return replaced;
  }

  const selectionSet = replaceIn(operation.selectionSet, model.root(operation.operation));
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const one of document.definitions) if (one.kind === Kind.FRAGMENT_DEFINITION) fragments.set(one.name.value, one);
  const definitions: FragmentDefinitionNode[] = [];
  // The loop also visits fragments that are added to the set during the loop.
  for (const name of used) {
    const fragment = fragments.get(name);
    if (!fragment) continue;
    const type = model.composite(fragment.typeCondition.name.value);
    definitions.push({ ...fragment, selectionSet: replaceIn(fragment.selectionSet, type) });
  }
  const variableDefinitions = [...(operation.variableDefinitions ?? []), ...added];
  const replaced: DocumentNode = {
    kind: Kind.DOCUMENT,
    definitions: [{ ...operation, variableDefinitions, selectionSet }, ...definitions],
  };
  return { places: [...places.values()], document: added.length > 0 ? replaced : undefined };
}

interface Sized {
  readonly argument: string;
  readonly slicing: { readonly typeName: string; readonly whenAbsent: number };
}

function definitionOf(variable: string, typeName: string, value: string): VariableDefinitionNode {
  return {
    kind: Kind.VARIABLE_DEFINITION,
    variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: variable } },
    type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: typeName } },
    defaultValue: { kind: Kind.INT, value },
  };
}

/** Returns the name of the type of the size: that of the argument or the input field. */
function typeNameAt({ argument, below }: SlicingPath): string {
  let input = argument;
  for (const name of below) {
    const field = input.object?.fields().find((each) => each.name === name);
    if (!field) break;
    input = field;
  }
  return getNamedType(input.type).name;
}

function absentSize({ argument }: SlicingPath, fallback: number): number {
  return typeof argument.defaultValue === 'number' ? argument.defaultValue : fallback;
}
