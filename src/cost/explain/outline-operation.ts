import {
  type ConstValueNode,
  type DefinitionNode,
  type DirectiveNode,
  type DocumentNode,
  type FragmentDefinitionNode,
  Kind,
  type OperationDefinitionNode,
  print,
  type SelectionSetNode,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import type { FieldModel, SchemaModel, SlicingPath, TypeModel } from '../schema/schema-model.js';
import { createValueRedaction } from './create-value-redaction.js';
import type { SizePaths } from './size-paths.js';

/** An operation without the values of its caller, except for values that affect its price. */
export interface OperationOutline {
  /** Text of the operation and the fragments that it uses, as printed by graphql-js. */
  readonly text: string;
  /**
   * Variables that size a list or are used by `@skip` or `@include`, with the paths to these
   * values.
   */
  readonly sizing: ReadonlyMap<string, SizePaths>;
}

interface OutlinedOperation {
  readonly model: SchemaModel;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
}

/**
 * Removes the values of an operation that may contain personal data. Strings are replaced with
 * empty strings and numbers with 0, unless they size a list. Comments are removed.
 *
 * The outline keeps the names that clients choose for aliases, operations, fragments and variables.
 * It also keeps enum values, Booleans and the number of items of a list.
 */
export function outlineOperation({ model, document, operation }: OutlinedOperation): OperationOutline {
  const { sizing, redact, redactArguments, redactDirective } = createValueRedaction();
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const used = new Set<FragmentDefinitionNode>();
  /**
   * Stack of the types of the enclosing selections. Undefined for a type that the schema does not
   * have.
   */
  const types: (TypeModel | undefined)[] = [];

  /**
   * Redacts selections with `visit` of graphql-js, which uses no recursion. Recursion could
   * overflow the call stack for a deeply nested document.
   */
  function redactSelections(selectionSet: SelectionSetNode, type: TypeModel | undefined): SelectionSetNode {
    const leave = () => {
      types.pop();
    };
    types.push(type);
    const redacted: SelectionSetNode = visit(selectionSet, {
      Field: {
        enter(field) {
          const models = fieldsOf(types.at(-1), field.name.value);
          types.push(models.find(({ child }) => child !== undefined)?.child);
          const slicing = models.flatMap((one) => one.slicing);
          return { ...field, arguments: redactArguments(field.arguments, (name) => pathsOf(slicing, name)) };
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
        const fragment = fragments.get(name.value);
        if (fragment) used.add(fragment);
      },
      Directive: redactDirective,
    });
    types.pop();
    return redacted;
  }

  const redactDirectives = (nodes: readonly DirectiveNode[] | undefined) => nodes?.map(redactDirective) ?? [];
  const selectionSet = redactSelections(operation.selectionSet, model.root(operation.operation));
  const definitions: DefinitionNode[] = [];
  // The loop also visits fragments that are added to the set during the loop.
  for (const fragment of used) {
    definitions.push({
      ...fragment,
      directives: redactDirectives(fragment.directives),
      selectionSet: redactSelections(fragment.selectionSet, model.composite(fragment.typeCondition.name.value)),
    });
  }
  const redactDefinition = (definition: VariableDefinitionNode): VariableDefinitionNode => {
    const { defaultValue, variable, directives } = definition;
    const redacted = defaultValue && redact(defaultValue, sizing.get(variable.name.value) ?? []);
    return {
      ...definition,
      directives: redactDirectives(directives) as NonNullable<VariableDefinitionNode['directives']>,
      ...(redacted && { defaultValue: redacted as ConstValueNode }),
    };
  };
  definitions.unshift({
    ...operation,
    variableDefinitions: operation.variableDefinitions?.map(redactDefinition) ?? [],
    directives: redactDirectives(operation.directives),
    selectionSet,
  });
  return { text: print({ kind: Kind.DOCUMENT, definitions }), sizing };
}

/**
 * Returns the field of a type and the same field of its possible object types. Different arguments
 * may size each of them.
 */
function fieldsOf(type: TypeModel | undefined, name: string): FieldModel[] {
  if (type === undefined) return [];
  const own = type.field(name);
  const others = type.possible.classesOf(name).map(({ field }) => field);
  return own ? [own, ...others] : others;
}

function pathsOf(slicing: readonly SlicingPath[], argument: string): SizePaths {
  return slicing.filter((path) => path.argument.name === argument).map(({ below }) => below);
}
