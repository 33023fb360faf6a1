import {
  type GraphQLField,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isObjectType,
  isUnionType,
  print,
} from 'graphql';
import { describe, expect, test } from 'vitest';
import { loadWorld } from '../../packages/platform/src/world.js';
import { createDemoSchema } from '../helpers/demo-schema.js';

const schema = createDemoSchema();

/** Lists without their own annotation, each with the source of its size. */
const SIZED_ELSEWHERE: Record<string, string> = {
  'CountryConnection.edges': 'sizedFields of Query.countriesConnection',
  'CountryConnection.nodes': 'sizedFields of Query.countriesConnection',
};

describe('the sample schema', () => {
  test('every list of the sample schema has a size', () => {
    const unsized = outputFields(schema)
      .filter(({ field }) => isListType(getNullableType(field.type)) && !listSizeOf(field))
      .map(({ coordinate }) => coordinate);
    expect(unsized.sort()).toEqual(Object.keys(SIZED_ELSEWHERE).sort());
    expect(listSizeOf(schema.getQueryType()?.getFields()['countriesConnection'])).toContain('["edges", "nodes"]');
  });

  test('the assumed sizes in the sample schema equal the longest lists in the data', () => {
    const world = loadWorld();
    const longest = (lists: readonly { length: number }[]) => Math.max(...lists.map((list) => list.length));
    const promised = (coordinate: string) => {
      const [type = '', name = ''] = coordinate.split('.');
      const parent = schema.getType(type);
      const field = isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
      return Number(/assumedSize: (\d+)/.exec(listSizeOf(field) ?? '')?.[1]);
    };
    const { countries, regions, subregions } = world;
    const places = [...countries, ...regions, ...subregions];
    expect({
      'Query.regions': promised('Query.regions'),
      'Place.languages': promised('Place.languages'),
      'Country.languages': promised('Country.languages'),
      'Region.languages': promised('Region.languages'),
      'Subregion.languages': promised('Subregion.languages'),
      'Region.subregions': promised('Region.subregions'),
      'Country.borders': promised('Country.borders'),
      'Country.currencies': promised('Country.currencies'),
      'Country.alternativeNames': promised('Country.alternativeNames'),
      'Country.translations': promised('Country.translations'),
      'Country.capitals': promised('Country.capitals'),
      'Country.topLevelDomains': promised('Country.topLevelDomains'),
    }).toEqual({
      'Query.regions': regions.length,
      'Place.languages': longest(places.map((place) => place.languageCodes)),
      'Country.languages': longest(countries.map((country) => country.languageCodes)),
      'Region.languages': longest(regions.map((region) => region.languageCodes)),
      'Subregion.languages': longest(subregions.map((subregion) => subregion.languageCodes)),
      'Region.subregions': longest(regions.map((region) => region.subregionIds)),
      'Country.borders': longest(countries.map((country) => country.borderCodes)),
      'Country.currencies': longest(countries.map((country) => country.currencyCodes)),
      'Country.alternativeNames': longest(countries.map((country) => country.alternativeNames)),
      'Country.translations': longest(countries.map((country) => country.translations)),
      'Country.capitals': longest(countries.map((country) => country.capitals)),
      'Country.topLevelDomains': longest(countries.map((country) => country.topLevelDomains)),
    });
  });

  test('the sample schema assumes the default value of `first` when `first` is null', () => {
    const paged = outputFields(schema).filter(({ field }) => field.args.some((argument) => argument.name === 'first'));
    expect(paged.length).toBeGreaterThan(5);
    for (const { coordinate, field } of paged) {
      const first = field.args.find((argument) => argument.name === 'first');
      expect(listSizeOf(field), coordinate).toContain(`assumedSize: ${first?.defaultValue}`);
      expect(listSizeOf(field), coordinate).toContain('slicingArguments: ["first"]');
    }
  });

  test('the sample schema describes every type, field, argument and input field', () => {
    const nameless = [];
    for (const type of ownTypes(schema)) {
      if (!type.description) nameless.push(type.name);
      const fields = 'getFields' in type ? Object.values(type.getFields()) : [];
      for (const field of fields) {
        if (!field.description) nameless.push(`${type.name}.${field.name}`);
        for (const argument of 'args' in field ? field.args : []) {
          if (!argument.description) nameless.push(`${type.name}.${field.name}(${argument.name}:)`);
        }
      }
    }
    expect(nameless).toEqual([]);
  });

  test('the sample schema credits its data and their licence', () => {
    expect(schema.description).toContain('Mohammed Le Doze');
    expect(schema.description).toContain('ODbL-1.0');
  });
});

function ownTypes(schema: GraphQLSchema) {
  return Object.values(schema.getTypeMap())
    .filter((type) => !isIntrospectionType(type))
    .filter(
      (type) =>
        isObjectType(type) || isInterfaceType(type) || isUnionType(type) || isEnumType(type) || isInputObjectType(type),
    );
}

function outputFields(schema: GraphQLSchema): { coordinate: string; field: GraphQLField<unknown, unknown> }[] {
  return ownTypes(schema)
    .filter((type) => isObjectType(type) || isInterfaceType(type))
    .flatMap((type) =>
      Object.values(type.getFields()).map((field) => ({ coordinate: `${type.name}.${field.name}`, field })),
    );
}

/** Returns the arguments of a field's `@listSize` as in the schema file. */
function listSizeOf(field: GraphQLField<unknown, unknown> | undefined): string | undefined {
  const directive = field?.astNode?.directives?.find((candidate) => candidate.name.value === 'listSize');
  return directive && `(${directive.arguments?.map((argument) => print(argument)).join(', ')})`;
}
