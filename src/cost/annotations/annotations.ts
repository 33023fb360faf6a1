import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  getNamedType,
} from 'graphql';
import type { AnnotatedElement, AnnotationSource } from './annotation-source.js';
import type { ComplexityFunction } from './complexity-function.js';
import type { ExactPrice } from './cost-overlay.js';
import { createComplexityReader } from './create-complexity-reader.js';
import { createListSizeReader } from './create-list-size-reader.js';
import { createWeightReader, type InputWeight } from './create-weight-reader.js';
import type { DirectiveNames } from './directive-names.js';
import { type InferenceOptions, inferListSize, inferSizingArguments } from './infer-list-size.js';
import type { InferredListSize, ListSize } from './merge-list-sizes.js';
import { createPageLists, type PageLists } from './page-lists.js';
import type { SchemaProblem } from './schema-problem.js';

export interface AnnotationsOptions {
  names: DirectiveNames;
  /** Overlay whose patterns are already expanded to coordinates. */
  overlay?: Readonly<Record<string, ExactPrice>> | undefined;
  inference: InferenceOptions;
  /**
   * Schema that the annotations belong to. Absent if the annotations are read without a schema, for
   * example only from an overlay. Page lists are then not inferred.
   */
  schema?: GraphQLSchema | undefined;
  /**
   * Called with each mistake in an annotation. If absent, mistakes are ignored. In both cases, the
   * member with the mistake counts as absent, and the other members of the annotation apply.
   */
  report?: (problem: SchemaProblem) => void;
}

/**
 * Annotations of a schema. The overlay takes precedence over directives in the SDL. Directives take
 * precedence over the `extensions` of a schema built in code. A method returns undefined if there
 * is no annotation, or no valid value in it.
 */
export interface Annotations {
  /** Returns the weight of a field, or of a type that fields return. */
  weight(element: AnnotatedElement, coordinate: string): number | undefined;
  /**
   * Returns the weight of an argument of a field or directive, or of a field of an input object.
   */
  inputWeight(input: GraphQLArgument | GraphQLInputField, coordinate: string): InputWeight | undefined;
  /** Whether the element has a weight annotation, valid or not. */
  isWeighed(element: AnnotatedElement, coordinate: string): boolean;
  /** Returns the list size annotation of a field. Several annotations are merged. */
  listSize(field: GraphQLField<unknown, unknown>, coordinate: string): ListSize | undefined;
  /** Returns the largest list size that a caller may request. */
  maxSize(field: GraphQLField<unknown, unknown>, coordinate: string): number | undefined;
  /**
   * Returns the `defaultSize` annotation of a list: its size if nothing else determines it.
   * Undefined means the default list size.
   */
  defaultSize(field: GraphQLField<unknown, unknown>, coordinate: string): number | undefined;
  /**
   * Returns the list size inferred from the names of the arguments, for a field without a list size
   * annotation.
   */
  inferredListSize(field: GraphQLField<unknown, unknown>): InferredListSize | undefined;
  /**
   * Page lists, which are sized by arguments of fields above them. Undefined if they are not
   * inferred.
   */
  readonly pages: PageLists | undefined;
  /**
   * Returns the price of a field from `@complexity` or `extensions.complexity`.
   * @param fallbackSize assumed number of items of a list whose size nothing determines
   */
  complexity(
    field: GraphQLField<unknown, unknown>,
    coordinate: string,
    fallbackSize: number,
  ): number | ComplexityFunction | undefined;
  /**
   * Returns the `multipliers` of the `@complexity` of a field: arguments, or paths below them,
   * whose values multiply the price of one item.
   */
  multipliers(field: GraphQLField<unknown, unknown>): readonly string[];
}

/** Creates a reader of the annotations of a schema. */
export function createAnnotations({ names, overlay, inference, schema, report }: AnnotationsOptions): Annotations {
  const source: AnnotationSource = {
    names,
    overlay,
    reject: (coordinate, message) => {
      report?.({ severity: 'error', coordinate, message });
      return undefined;
    },
  };
  const { hasListSize, ...listSizes } = createListSizeReader(source);
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
    ...createWeightReader(source),
    ...listSizes,
    ...createComplexityReader(source),
    inferredListSize,
    pages,
  };
}
