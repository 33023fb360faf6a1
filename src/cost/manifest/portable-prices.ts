import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLSchema,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isLeafType,
  isObjectType,
} from 'graphql';
import type { AnnotatedElement } from '../annotations/annotation-source.js';
import { createAnnotations } from '../annotations/annotations.js';
import type { ExactPrice } from '../annotations/cost-overlay.js';
import { readDirectiveNames } from '../annotations/directive-names.js';
import { readInference } from '../annotations/infer-list-size.js';
import { expandOverlay } from '../overlay/expand-overlay.js';
import type { CostAnalyzerOptions } from '../settings/cost-analyzer-options.js';
import { defaultProfile, resolveProfile } from '../settings/cost-profile.js';

/**
 * All annotations of a schema, as an overlay. A printed schema with this overlay has the same
 * prices as the original schema.
 */
export interface PortablePrices {
  overlay: Readonly<Record<string, ExactPrice>>;
  /**
   * Fields with price functions. JSON cannot represent functions, so these fields have the default
   * price when the overlay is used.
   */
  functions: readonly string[];
}

/**
 * Reads the annotations from the overlay, directives and extensions, because a printed schema
 * contains none of them.
 */
export function readPortablePrices(schema: GraphQLSchema, options: CostAnalyzerOptions): PortablePrices {
  const profile = resolveProfile(options.profile ?? defaultProfile(options));
  // Patterns also apply `maxSize` to lists whose size is inferred from arguments, so inference is
  // needed here.
  const readings = { names: readDirectiveNames(schema), inference: readInference(options, profile), schema };
  const { prices } = expandOverlay(schema, options, readings);
  const annotations = createAnnotations({ ...readings, overlay: prices });
  const overlay: Record<string, ExactPrice> = {};
  const functions: string[] = [];

  function readWeight(element: AnnotatedElement, coordinate: string): void {
    const cost = annotations.weight(element, coordinate);
    if (cost !== undefined) overlay[coordinate] = { ...overlay[coordinate], cost };
  }

  function readInputWeight(input: GraphQLArgument | GraphQLInputField, coordinate: string): void {
    const found = annotations.inputWeight(input, coordinate);
    if (found === undefined) return;
    const { weight, perElement } = found;
    overlay[coordinate] = { ...overlay[coordinate], cost: weight, ...(perElement && { perElement }) };
  }

  function readField(field: GraphQLField<unknown, unknown>, coordinate: string): void {
    readWeight(field, coordinate);
    for (const argument of field.args) readInputWeight(argument, `${coordinate}(${argument.name}:)`);
    const listSize = annotations.listSize(field, coordinate);
    if (listSize !== undefined) overlay[coordinate] = { ...overlay[coordinate], listSize };
    const maxSize = annotations.maxSize(field, coordinate);
    if (maxSize !== undefined) overlay[coordinate] = { ...overlay[coordinate], maxSize };
    const defaultSize = annotations.defaultSize(field, coordinate);
    if (defaultSize !== undefined) overlay[coordinate] = { ...overlay[coordinate], defaultSize };
    if (overlay[coordinate]?.cost !== undefined) return;
    // Price functions are not called here, so the fallback size is irrelevant.
    const complexity = annotations.complexity(field, coordinate, 0);
    if (typeof complexity === 'function') functions.push(coordinate);
    else if (complexity !== undefined) overlay[coordinate] = { ...overlay[coordinate], cost: complexity };
  }

  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    if (isObjectType(type) || isLeafType(type)) readWeight(type, type.name);
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) readInputWeight(field, `${type.name}.${field.name}`);
    }
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) readField(field, `${type.name}.${field.name}`);
  }
  for (const directive of schema.getDirectives()) {
    for (const argument of directive.args) readInputWeight(argument, `@${directive.name}(${argument.name}:)`);
  }
  return { overlay, functions };
}
