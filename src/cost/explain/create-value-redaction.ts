import { type ArgumentNode, type DirectiveNode, Kind, type ValueNode } from 'graphql';
import { isNumber, pathsBelow, type SizePaths } from './size-paths.js';

/** Functions that remove values with possible personal data from an operation. */
interface ValueRedaction {
  /** @param paths paths in the value to numbers that size a list. These numbers remain */
  redact(value: ValueNode, paths: SizePaths): ValueNode;
  redactArguments(
    nodes: readonly ArgumentNode[] | undefined,
    pathsOf: (argument: string) => SizePaths,
  ): readonly ArgumentNode[];
  /** Redacts a directive. Adds the variables of `@skip` and `@include` to `sizing`. */
  redactDirective(directive: DirectiveNode): DirectiveNode;
  /** Variables in the redacted values that size a list or are used by `@skip` or `@include`. */
  readonly sizing: ReadonlyMap<string, SizePaths>;
}

const NO_SIZES: SizePaths = [];
const ITSELF: SizePaths = [[]];

export function createValueRedaction(): ValueRedaction {
  const sizing = new Map<string, SizePaths>();

  function redact(value: ValueNode, paths: SizePaths): ValueNode {
    const isSize = paths.some((path) => path.length === 0);
    switch (value.kind) {
      case Kind.VARIABLE: {
        const { value: name } = value.name;
        if (paths.length > 0) sizing.set(name, [...(sizing.get(name) ?? NO_SIZES), ...paths]);
        return value;
      }
      case Kind.INT:
      case Kind.FLOAT:
        return isSize ? value : { ...value, value: '0' };
      case Kind.STRING:
        return { ...value, value: isSize && isNumber(value.value) ? value.value : '', block: false };
      case Kind.LIST:
        return { ...value, values: value.values.map((item) => redact(item, NO_SIZES)) };
      case Kind.OBJECT:
        return {
          ...value,
          fields: value.fields.map((field) => ({
            ...field,
            value: redact(field.value, pathsBelow(paths, field.name.value)),
          })),
        };
      default:
        return value;
    }
  }

  function redactArguments(nodes: readonly ArgumentNode[] | undefined, pathsOf: (argument: string) => SizePaths) {
    return nodes?.map((one) => ({ ...one, value: redact(one.value, pathsOf(one.name.value)) })) ?? [];
  }

  function redactDirective(directive: DirectiveNode): DirectiveNode {
    const decides = directive.name.value === 'skip' || directive.name.value === 'include';
    return { ...directive, arguments: redactArguments(directive.arguments, () => (decides ? ITSELF : NO_SIZES)) };
  }

  return { redact, redactArguments, redactDirective, sizing };
}
