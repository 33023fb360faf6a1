import {
  type ConstDirectiveNode,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isListType,
  valueFromASTUntyped,
} from 'graphql';
import { MAX_COST } from '../../model/limit.js';
import { describeValue } from '../../options/describe-value.js';
import { didYouMean } from '../../options/nearest-name.js';
import type { ComplexityFunction } from './author-function.js';
import { complexityOfDirective } from './complexity-of-directive.js';
import type { DirectiveNames } from './directive-names.js';
import { findPathMistake } from './find-path-mistake.js';
import { type InferenceOptions, inferListSize, inferSizingArguments } from './infer-list-size.js';
import {
  agree,
  type InferredListSize,
  LIST_SIZE_MEMBERS,
  type ListSize,
  mergeListSizes,
  SEVERAL_LIST_SIZES,
} from './merge-list-sizes.js';
import { createPageLists, type PageLists } from './page-lists.js';
import { isSizedPath } from './sized-fields.js';

/** What is said of one coordinate. */
export interface ExactPrice {
  cost?: number | string;
  /** Whether `cost` is the weight of each element of the list that an argument or input field takes. @default false */
  perElement?: boolean;
  listSize?: Partial<ListSize>;
  /** The largest size that a caller may ask of this list, or of the lists that this field sizes: more is refused. */
  maxSize?: number;
  /** How long the list is where neither an annotation, nor an argument, nor a field above it gives it a size. */
  defaultSize?: number;
}

/** What an overlay says of what its key names; the same words as the directives. */
export interface OverlayEntry extends ExactPrice, Partial<ListSize> {
  /** The same as `cost`. */
  weight?: number | string;
}

/**
 * Annotations of a schema that is not ours, by schema coordinate: `Type`, `Type.field`, `Type.field(arg:)`,
 * `@directive(arg:)`. A `*` in a name stands for any letters: `*.edges`, `Query.*`. A number is a weight.
 */
export type CostOverlay = Readonly<Record<string, OverlayEntry | number>>;

export interface SchemaProblem {
  severity: 'error' | 'warning';
  coordinate: string;
  message: string;
  /** The key of the overlay that is to be corrected; absent: what is wrong stands in the schema. */
  overlayKey?: string;
}

/** The weight of an argument or input field. */
interface InputWeight {
  readonly weight: number;
  /** Whether each element of the list has this weight, instead of the list as a whole. */
  readonly perElement: boolean;
}

/** Anything of a schema that can carry an annotation. */
export interface AnnotatedElement {
  astNode?: { readonly directives?: readonly ConstDirectiveNode[] | undefined } | null | undefined;
  extensionASTNodes?: readonly { readonly directives?: readonly ConstDirectiveNode[] | undefined }[] | undefined;
  extensions?: Readonly<Record<string, unknown>> | undefined;
}

export interface AnnotationsOptions {
  names: DirectiveNames;
  /** An overlay, expanded. */
  overlay?: Readonly<Record<string, ExactPrice>> | undefined;
  inference: InferenceOptions;
  /** Undefined: what is annotated is read without one, and nothing is inferred. */
  schema?: GraphQLSchema | undefined;
  /** Takes mistakes in what is read; without it they are passed over, and the element counts as not annotated. */
  report?: (problem: SchemaProblem) => void;
}

/** Where prices come from: the overlay, else the directives in the SDL, else the `extensions` of a schema built in code. */
export interface Annotations {
  /** Returns the weight of a field, or of a type that fields return. */
  weight(element: AnnotatedElement, coordinate: string): number | undefined;
  /** Returns the weight of an argument of a field or directive, or of a field of an input object. */
  inputWeight(input: GraphQLArgument | GraphQLInputField, coordinate: string): InputWeight | undefined;
  /** Whether anything is said of its weight, be it a number or not. */
  isWeighed(element: AnnotatedElement, coordinate: string): boolean;
  listSize(field: GraphQLField<unknown, unknown>, coordinate: string): ListSize | undefined;
  /** The largest size that a caller may ask for. */
  maxSize(field: GraphQLField<unknown, unknown>, coordinate: string): number | undefined;
  /** The size of a list that nothing else sizes; undefined: the default list size. */
  defaultSize(field: GraphQLField<unknown, unknown>, coordinate: string): number | undefined;
  /** For a field of which nothing else says it. */
  inferredListSize(field: GraphQLField<unknown, unknown>): InferredListSize | undefined;
  /** The lists that arguments of fields above them size. Undefined: none are inferred. */
  readonly pages: PageLists | undefined;
  /** @param fallbackSize how many items a list is taken to have that nothing gives a size */
  complexity(
    field: GraphQLField<unknown, unknown>,
    coordinate: string,
    fallbackSize: number,
  ): number | ComplexityFunction | undefined;
  /** Those of its `@complexity`: arguments, or paths below them, by which the price of one item is multiplied. */
  multipliers(field: GraphQLField<unknown, unknown>): readonly string[];
}

const COMPLEXITY: ReadonlySet<string> = new Set(['complexity']);
const ONLY_INPUTS = 'perElement: expected only on arguments and input fields that take a list: leave perElement out';

/** The members of `@cost`, and of `extensions.cost`. */
export const COST_MEMBERS: readonly string[] = ['weight', 'perElement'];

/** A weight as the schema or overlay has it, unchecked. */
interface RawWeight {
  readonly weight?: unknown;
  readonly perElement?: unknown;
}

export function createAnnotations({ names, overlay, inference, schema, report }: AnnotationsOptions): Annotations {
  const refuse = (coordinate: string, message: string): undefined => {
    report?.({ severity: 'error', coordinate, message });
    return undefined;
  };

  /** Returns the weight and `perElement` of the first source that has a weight: overlay, directive, extensions. */
  function rawWeight(element: AnnotatedElement, coordinate: string): RawWeight {
    const inOverlay = overlayEntry(overlay, coordinate);
    // JSON may hold null, which says nothing.
    if (inOverlay?.cost !== undefined && inOverlay.cost !== null)
      return { weight: inOverlay.cost, perElement: inOverlay.perElement };
    const directive = directivesOf(element, names.cost)[0];
    if (directive !== undefined && directive['weight'] !== undefined && directive['weight'] !== null) return directive;
    return costExtension(element, coordinate);
  }

  /** `extensions.cost`: a weight, or an object with one. */
  function costExtension(element: AnnotatedElement, coordinate: string): RawWeight {
    const value = element.extensions?.['cost'];
    if (typeof value !== 'object' || value === null) return { weight: value };
    refuseUnknown(value, 'cost', COST_MEMBERS, coordinate);
    return value;
  }

  /** Directives and overlays have their members checked where they are read as a whole; what is written in code has not. */
  function refuseUnknown(value: object, place: string, known: readonly string[], coordinate: string): void {
    for (const name of Object.keys(value)) {
      if (known.includes(name)) continue;
      const meant = didYouMean(name, known) || `: expected ${known.join(', ')}`;
      refuse(coordinate, `extensions.${place}.${name} is not read${meant}`);
    }
  }

  function weight(element: AnnotatedElement, coordinate: string): number | undefined {
    const raw = rawWeight(element, coordinate);
    if (raw.perElement !== undefined && readPerElement(raw, coordinate)) refuse(coordinate, ONLY_INPUTS);
    return readWeight(raw, coordinate);
  }

  function inputWeight(input: GraphQLArgument | GraphQLInputField, coordinate: string): InputWeight | undefined {
    const raw = rawWeight(input, coordinate);
    const weight = readWeight(raw, coordinate);
    if (weight === undefined) return undefined;
    const perElement = readPerElement(raw, coordinate);
    if (!perElement || isListType(getNullableType(input.type))) return { weight, perElement };
    refuse(coordinate, `perElement: ${input.type} is no list: leave perElement out`);
    return { weight, perElement: false };
  }

  function readWeight({ weight: raw }: RawWeight, coordinate: string): number | undefined {
    if (raw === undefined) return undefined;
    return toWeight(raw) ?? refuse(coordinate, `weight: expected a number, got ${JSON.stringify(raw)}`);
  }

  function readPerElement({ perElement = false }: RawWeight, coordinate: string): boolean {
    if (typeof perElement !== 'boolean') {
      refuse(coordinate, `perElement: expected true or false, got ${JSON.stringify(perElement)}`);
    }
    return perElement === true;
  }

  function listSize(field: GraphQLField<unknown, unknown>, coordinate: string): ListSize | undefined {
    const all = rawListSizes(field, coordinate).flatMap((raw) => readListSize(raw, coordinate) ?? []);
    if (all.length < 2) return all[0];
    if (!agree(all)) refuse(coordinate, SEVERAL_LIST_SIZES);
    return mergeListSizes(all);
  }

  function rawListSizes(field: GraphQLField<unknown, unknown>, coordinate: string): readonly unknown[] {
    const inOverlay = overlayEntry(overlay, coordinate)?.listSize;
    if (inOverlay !== undefined) return [inOverlay];
    const directives = directivesOf(field, names.listSize);
    const extension = field.extensions['listSize'];
    if (directives.length > 0 || extension === undefined) return directives;
    if (typeof extension === 'object' && extension !== null) {
      refuseUnknown(extension, 'listSize', LIST_SIZE_MEMBERS, coordinate);
    }
    return [extension];
  }

  function readListSize(raw: unknown, coordinate: string): ListSize | undefined {
    if (raw === null) return undefined;
    if (typeof raw !== 'object') return refuse(coordinate, `listSize: expected an object, got ${JSON.stringify(raw)}`);
    const { assumedSize, slicingArguments, sizedFields, requireOneSlicingArgument, ...more } = raw as Record<
      string,
      unknown
    >;
    // Hot Chocolate's word for what counts where none of the arguments is given.
    const { slicingArgumentDefaultValue = assumedSize } = more;
    const paths = toNames(sizedFields, () => refuse(coordinate, 'sizedFields: expected a list of names'));
    for (const path of paths.filter((each) => !isSizedPath(each))) {
      const example = 'a name, or a path such as "results { page }"';
      refuse(coordinate, `sizedFields: expected ${example}, got ${JSON.stringify(path)}`);
    }
    if (typeof (requireOneSlicingArgument ?? true) !== 'boolean') {
      const got = JSON.stringify(requireOneSlicingArgument);
      refuse(coordinate, `requireOneSlicingArgument: expected true or false, got ${got}`);
    }
    return {
      assumedSize: toSize('assumedSize', slicingArgumentDefaultValue ?? assumedSize, (message) =>
        refuse(coordinate, message),
      ),
      slicingArguments: toNames(slicingArguments, () =>
        refuse(coordinate, 'slicingArguments: expected a list of names'),
      ),
      sizedFields: paths.filter(isSizedPath),
      requireOneSlicingArgument: typeof requireOneSlicingArgument === 'boolean' ? requireOneSlicingArgument : undefined,
    };
  }

  const sizeNamed =
    (name: 'maxSize' | 'defaultSize') =>
    (field: GraphQLField<unknown, unknown>, coordinate: string): number | undefined => {
      const raw: unknown = overlayEntry(overlay, coordinate)?.[name] ?? field.extensions[name];
      return toSize(name, raw, (message) => refuse(coordinate, message));
    };
  const maxSize = sizeNamed('maxSize');
  const defaultSize = sizeNamed('defaultSize');

  function complexity(
    field: GraphQLField<unknown, unknown>,
    coordinate: string,
    fallbackSize: number,
  ): number | ComplexityFunction | undefined {
    const directive = directivesOf(field, COMPLEXITY)[0];
    if (directive !== undefined) return readComplexity({ directive, field, coordinate, fallbackSize });
    const value = field.extensions['complexity'];
    if (typeof value === 'function') return value as ComplexityFunction;
    if (value === undefined || value === null) return undefined;
    const number = typeof value === 'number' ? toWeight(value) : undefined;
    return (
      number ??
      refuse(coordinate, `extensions.complexity: expected a number or a function, got ${describeValue(value)}`)
    );
  }

  /** Without multipliers it is the weight of the call, as a number in `extensions.complexity` is. */
  function readComplexity(options: {
    directive: Readonly<Record<string, unknown>>;
    field: GraphQLField<unknown, unknown>;
    coordinate: string;
    fallbackSize: number;
  }): number | ComplexityFunction | undefined {
    const { directive, field, coordinate, fallbackSize } = options;
    const value = toWeight(directive['value']);
    if (value === undefined) {
      const got = JSON.stringify(directive['value']) ?? 'none';
      return refuse(coordinate, `@complexity: expected a number as value, got ${got}`);
    }
    const named = toNames(directive['multipliers'], () =>
      refuse(coordinate, '@complexity: expected a list of names as multipliers'),
    );
    for (const path of named) {
      const mistake = findPathMistake(field, path, { opensScalars: true });
      if (mistake !== undefined) refuse(coordinate, `@complexity: multipliers: ${mistake}`);
    }
    return named.length === 0 ? value : complexityOfDirective({ value, multipliers: named, field, fallbackSize });
  }

  const multipliers: Annotations['multipliers'] = (field) =>
    toNames(directivesOf(field, COMPLEXITY)[0]?.['multipliers'], () => undefined);

  const isWeighed: Annotations['isWeighed'] = (element, coordinate) =>
    rawWeight(element, coordinate).weight !== undefined;

  const mutations = schema?.getMutationType()?.getFields() ?? {};
  const isMutation = (field: GraphQLField<unknown, unknown>): boolean =>
    Object.hasOwn(mutations, field.name) && mutations[field.name] === field;

  const pages =
    schema && inference.pages
      ? createPageLists({
          schema,
          isAnnotated: (holder, { name }) =>
            [holder, ...holder.getInterfaces()].some((each) => {
              const field = each.getFields()[name];
              return field !== undefined && hasListSize(field, `${each.name}.${name}`);
            }),
          hasSizingArguments: (field) => inferSizingArguments(field, isMutation(field), inference).paths.length > 0,
        })
      : undefined;

  /** Whether anything is said of its size, be it right or wrong. */
  function hasListSize(field: GraphQLField<unknown, unknown>, coordinate: string): boolean {
    const said = overlayEntry(overlay, coordinate)?.listSize ?? field.extensions['listSize'] ?? undefined;
    return said !== undefined || directivesOf(field, names.listSize).length > 0;
  }

  const inferredListSize: Annotations['inferredListSize'] = (field) =>
    inferListSize(
      {
        field,
        isMutation: isMutation(field),
        leadsToPages: () => pages?.leadsToPages(getNamedType(field.type)) ?? false,
      },
      inference,
    );

  return {
    weight,
    inputWeight,
    isWeighed,
    listSize,
    maxSize,
    defaultSize,
    inferredListSize,
    pages,
    complexity,
    multipliers,
  };
}

function overlayEntry(overlay: AnnotationsOptions['overlay'], coordinate: string): ExactPrice | undefined {
  return overlay !== undefined && Object.hasOwn(overlay, coordinate) ? overlay[coordinate] : undefined;
}

/** The arguments of the directives of some name on an element and on its extensions, as plain values. */
function directivesOf(element: AnnotatedElement, names: ReadonlySet<string>): Record<string, unknown>[] {
  return [element.astNode, ...(element.extensionASTNodes ?? [])]
    .flatMap((node) => node?.directives ?? [])
    .filter(({ name }) => names.has(name.value))
    .map(({ arguments: given = [] }) =>
      Object.fromEntries(given.map(({ name, value }) => [name.value, valueFromASTUntyped(value)])),
    );
}

const DECIMAL = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

function toWeight(raw: unknown): number | undefined {
  const number =
    typeof raw === 'number' ? raw : typeof raw === 'string' && DECIMAL.test(raw.trim()) ? Number(raw) : Number.NaN;
  if (Number.isNaN(number)) return undefined;
  return Math.min(Math.max(number, -MAX_COST), MAX_COST);
}

function toSize(name: string, raw: unknown, refuse: (message: string) => undefined): number | undefined {
  if (raw === undefined || raw === null) return undefined;
  if (typeof raw !== 'number' || !Number.isInteger(raw) || raw < 0)
    return refuse(`${name}: expected a whole number of 0 or more, got ${JSON.stringify(raw)}`);
  return Math.min(raw, MAX_COST);
}

function toNames(raw: unknown, refuse: () => undefined): readonly string[] {
  if (raw === undefined || raw === null) return [];
  const names = Array.isArray(raw) ? raw : [raw];
  return names.every((name) => typeof name === 'string') ? names : (refuse() ?? []);
}
