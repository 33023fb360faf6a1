import {
  type ConstDirectiveNode,
  type GraphQLField,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  valueFromASTUntyped,
} from 'graphql';
import { MAX_COST } from '../../model/limit.js';

/** How long a list is; names as in `@listSize`. */
export interface ListSize {
  assumedSize: number | undefined;
  slicingArguments: readonly string[];
  sizedFields: readonly string[];
  requireOneSlicingArgument: boolean;
}

/** The price of a field as a function of its arguments and of the price of one item below it. */
export type ComplexityFunction = (options: {
  args: Record<string, unknown>;
  childComplexity: number;
  field: GraphQLField<unknown, unknown>;
}) => unknown;

/** What an overlay says of one coordinate; the same words as the directives. */
export interface OverlayEntry {
  cost?: number | string;
  listSize?: Partial<ListSize>;
}

/** Annotations of a schema that is not ours, by schema coordinate: `Type`, `Type.field`, `Type.field(arg:)`, `@directive(arg:)`. */
export type CostOverlay = Readonly<Record<string, OverlayEntry>>;

export interface SchemaProblem {
  severity: 'error' | 'warning';
  coordinate: string;
  message: string;
}

/** Anything of a schema that can carry an annotation. */
export interface AnnotatedElement {
  astNode?: { readonly directives?: readonly ConstDirectiveNode[] | undefined } | null | undefined;
  extensionASTNodes?: readonly { readonly directives?: readonly ConstDirectiveNode[] | undefined }[] | undefined;
  extensions?: Readonly<Record<string, unknown>> | undefined;
}

export interface AnnotationsOptions {
  overlay?: CostOverlay | undefined;
  /** Reads Relay connections (`first`, `last`, `edges`, `nodes`) as if they carried `@listSize`. */
  inferConnections: boolean;
  /** Takes mistakes in what is read; without it they are passed over, and the element counts as not annotated. */
  report?: (problem: SchemaProblem) => void;
}

/** Where prices come from: the overlay, else the directives in the SDL, else the `extensions` of a schema built in code. */
export interface Annotations {
  weight(element: AnnotatedElement, coordinate: string): number | undefined;
  /** Whether anything is said of its weight, be it a number or not. */
  isWeighed(element: AnnotatedElement, coordinate: string): boolean;
  listSize(field: GraphQLField<unknown, unknown>, coordinate: string): ListSize | undefined;
  complexity(field: GraphQLField<unknown, unknown>): number | ComplexityFunction | undefined;
}

export function createAnnotations({ overlay, inferConnections, report }: AnnotationsOptions): Annotations {
  const refuse = (coordinate: string, message: string): undefined => {
    report?.({ severity: 'error', coordinate, message });
    return undefined;
  };

  function rawWeight(element: AnnotatedElement, coordinate: string): unknown {
    return (
      overlayEntry(overlay, coordinate)?.cost ??
      directiveArguments(element, 'cost')?.['weight'] ??
      costExtension(element)
    );
  }

  function weight(element: AnnotatedElement, coordinate: string): number | undefined {
    const raw = rawWeight(element, coordinate);
    if (raw === undefined) return undefined;
    return toWeight(raw) ?? refuse(coordinate, `weight: expected a number, got ${JSON.stringify(raw)}`);
  }

  function listSize(field: GraphQLField<unknown, unknown>, coordinate: string): ListSize | undefined {
    const raw =
      overlayEntry(overlay, coordinate)?.listSize ??
      directiveArguments(field, 'listSize') ??
      field.extensions['listSize'];
    if (raw === undefined || raw === null) return inferConnections ? inferConnection(field) : undefined;
    if (typeof raw !== 'object') return refuse(coordinate, `listSize: expected an object, got ${JSON.stringify(raw)}`);
    const { assumedSize, slicingArguments, sizedFields, requireOneSlicingArgument } = raw as Record<string, unknown>;
    return {
      assumedSize: toSize(assumedSize, (message) => refuse(coordinate, message)),
      slicingArguments: toNames(slicingArguments, () =>
        refuse(coordinate, 'slicingArguments: expected a list of names'),
      ),
      sizedFields: toNames(sizedFields, () => refuse(coordinate, 'sizedFields: expected a list of names')),
      requireOneSlicingArgument: requireOneSlicingArgument !== false,
    };
  }

  function complexity(field: GraphQLField<unknown, unknown>): number | ComplexityFunction | undefined {
    const value = field.extensions['complexity'];
    if (typeof value === 'function') return value as ComplexityFunction;
    return typeof value === 'number' ? toWeight(value) : undefined;
  }

  const isWeighed: Annotations['isWeighed'] = (element, coordinate) => rawWeight(element, coordinate) !== undefined;

  return { weight, isWeighed, listSize, complexity };
}

function overlayEntry(overlay: CostOverlay | undefined, coordinate: string): OverlayEntry | undefined {
  return overlay !== undefined && Object.hasOwn(overlay, coordinate) ? overlay[coordinate] : undefined;
}

/** The arguments of a directive on an element or on one of its extensions, as plain values. */
function directiveArguments(element: AnnotatedElement, name: string): Record<string, unknown> | undefined {
  for (const node of [element.astNode, ...(element.extensionASTNodes ?? [])]) {
    const directive = node?.directives?.find((candidate) => candidate.name.value === name);
    if (directive === undefined) continue;
    const entries = (directive.arguments ?? []).map((argument) => [
      argument.name.value,
      valueFromASTUntyped(argument.value),
    ]);
    return Object.fromEntries(entries) as Record<string, unknown>;
  }
  return undefined;
}

/** `extensions.cost`: a weight, or an object with one. */
function costExtension(element: AnnotatedElement): unknown {
  const value = element.extensions?.['cost'];
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)['weight'] : value;
}

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function toWeight(raw: unknown): number | undefined {
  const number =
    typeof raw === 'number' ? raw : typeof raw === 'string' && DECIMAL.test(raw.trim()) ? Number(raw) : Number.NaN;
  if (Number.isNaN(number)) return undefined;
  return Math.min(Math.max(number, -MAX_COST), MAX_COST);
}

function toSize(raw: unknown, refuse: (message: string) => undefined): number | undefined {
  if (raw === undefined || raw === null) return undefined;
  if (typeof raw !== 'number' || !Number.isInteger(raw) || raw < 0)
    return refuse(`assumedSize: expected a whole number of 0 or more, got ${JSON.stringify(raw)}`);
  return Math.min(raw, MAX_COST);
}

function toNames(raw: unknown, refuse: () => undefined): readonly string[] {
  if (raw === undefined || raw === null) return [];
  const names = Array.isArray(raw) ? raw : [raw];
  return names.every((name) => typeof name === 'string') ? names : (refuse() ?? []);
}

function inferConnection(field: GraphQLField<unknown, unknown>): ListSize | undefined {
  const slicingArguments = ['first', 'last'].filter((name) => field.args.some((argument) => argument.name === name));
  const type = getNamedType(field.type);
  if (slicingArguments.length === 0 || !isObjectType(type)) return undefined;
  const sizedFields = ['edges', 'nodes'].filter((name) => {
    const candidate = type.getFields()[name];
    return candidate !== undefined && isListType(getNullableType(candidate.type));
  });
  if (sizedFields.length === 0) return undefined;
  return { assumedSize: undefined, slicingArguments, sizedFields, requireOneSlicingArgument: false };
}
