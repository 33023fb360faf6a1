import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLInterfaceType,
  type GraphQLSchema,
  type GraphQLUnionType,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isLeafType,
  isListType,
  isObjectType,
  isUnionType,
} from 'graphql';
import { type CostOverlay, createAnnotations, type ListSize, type SchemaProblem } from './annotations.js';

export interface CheckOptions {
  overlay?: CostOverlay | undefined;
  inferConnections: boolean;
}

/**
 * Reads every annotation of a schema. Errors are mistakes, and warnings the lists that nothing gives a size: one of them for
 * each finding, with its coordinate.
 */
export function checkCostSchema(schema: GraphQLSchema, { overlay, inferConnections }: CheckOptions): SchemaProblem[] {
  const problems: SchemaProblem[] = [];
  const report = (problem: SchemaProblem): void => void problems.push(problem);
  const error = (coordinate: string, message: string): void => report({ severity: 'error', coordinate, message });
  const annotations = createAnnotations({ overlay, inferConnections, report });
  const coordinates = new Set<string>();
  const sized = new Set<string>();
  const unsized: string[] = [];

  const weigh = (element: Parameters<typeof annotations.weight>[0], coordinate: string): void => {
    coordinates.add(coordinate);
    annotations.weight(element, coordinate);
  };

  for (const type of Object.values(schema.getTypeMap())) {
    if (isIntrospectionType(type)) continue;
    if (isObjectType(type) || isLeafType(type)) weigh(type, type.name);
    else refuseWeight(type);
    if (isInputObjectType(type)) {
      for (const field of Object.values(type.getFields())) weigh(field, `${type.name}.${field.name}`);
    }
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) checkField(`${type.name}.${field.name}`, field);
  }
  for (const directive of schema.getDirectives()) {
    for (const argument of directive.args) weigh(argument, `@${directive.name}(${argument.name}:)`);
  }
  for (const coordinate of Object.keys(overlay ?? {})) {
    if (!coordinates.has(coordinate)) error(coordinate, 'the overlay names something that the schema does not have');
  }
  for (const coordinate of unsized) {
    if (sized.has(coordinate)) continue;
    report({
      severity: 'warning',
      coordinate,
      message: 'nothing gives this list a size: the default list size counts',
    });
  }
  return problems;

  /** A weight that no price takes up would leave whoever wrote it with less than they meant to ask for. */
  function refuseWeight(type: GraphQLInterfaceType | GraphQLUnionType | GraphQLInputObjectType): void {
    coordinates.add(type.name);
    if (!annotations.isWeighed(type, type.name)) return;
    if (isInputObjectType(type)) {
      error(type.name, '@cost on an input type counts nowhere: weigh its fields, or the arguments that take it');
      return;
    }
    const kind = isUnionType(type) ? 'a union' : 'an interface';
    error(type.name, `@cost on ${kind} counts nowhere: weigh its object types, or the fields that return it`);
  }

  function checkField(coordinate: string, field: GraphQLField<unknown, unknown>): void {
    weigh(field, coordinate);
    for (const argument of field.args) weigh(argument, `${coordinate}(${argument.name}:)`);
    const isList = isListType(getNullableType(field.type));
    const listSize = annotations.listSize(field, coordinate);
    if (listSize === undefined) {
      if (isList && isCompositeType(getNamedType(field.type))) unsized.push(coordinate);
      return;
    }
    if (!isList && listSize.sizedFields.length === 0) {
      error(coordinate, '@listSize on a field that returns no list and names no sizedFields');
    }
    for (const path of listSize.slicingArguments) checkSlicing(coordinate, field, path);
    checkSizedFields(coordinate, field, listSize);
  }

  function checkSlicing(coordinate: string, field: GraphQLField<unknown, unknown>, path: string): void {
    const [name, ...below] = path.split('.');
    let type: GraphQLInputType | undefined = field.args.find((argument) => argument.name === name)?.type;
    if (type === undefined) {
      error(coordinate, `slicingArguments: there is no argument "${name}"`);
      return;
    }
    for (const step of below) {
      const object: GraphQLInputType = getNullableType(type);
      type = isInputObjectType(object) ? object.getFields()[step]?.type : undefined;
      if (type === undefined) {
        error(coordinate, `slicingArguments: "${path}" leads to no input field "${step}"`);
        return;
      }
    }
    const last = getNullableType(type);
    if (isListType(last) || (isLeafType(last) && !['String', 'Boolean', 'ID'].includes(last.name))) return;
    error(coordinate, `slicingArguments: "${path}" is ${String(type)}, neither a number nor a list`);
  }

  function checkSizedFields(
    coordinate: string,
    field: GraphQLField<unknown, unknown>,
    { sizedFields }: ListSize,
  ): void {
    const type = getNamedType(field.type);
    for (const name of sizedFields) {
      const holders = isUnionType(type)
        ? type.getTypes()
        : isInterfaceType(type)
          ? [type, ...schema.getPossibleTypes(type)]
          : [type];
      const found = holders.flatMap((holder) => {
        if (!isObjectType(holder) && !isInterfaceType(holder)) return [];
        const candidate = holder.getFields()[name];
        return candidate === undefined ? [] : [{ holder, candidate }];
      });
      if (found.length === 0) error(coordinate, `sizedFields: ${type.name} has no field "${name}"`);
      for (const { holder, candidate } of found) {
        if (isListType(getNullableType(candidate.type))) sized.add(`${holder.name}.${name}`);
        else error(coordinate, `sizedFields: ${holder.name}.${name} is no list`);
      }
    }
  }
}
