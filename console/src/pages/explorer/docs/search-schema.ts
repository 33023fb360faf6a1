import { type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';

/** A name of the schema: `Type`, `Type.field`, `Type.field(argument:)` or `Enum.VALUE`. */
export interface FoundName {
  coordinate: string;
  /** Coordinate of the page of the documentation that describes it. */
  page: string;
  description: string;
}

/** Maximum number of results. More would not be read. */
const MOST = 50;

/**
 * Returns the names that contain a text, regardless of case: those that equal it or begin with it
 * first. With `Type.`, only the fields of matching types are found.
 */
export function searchSchema(schema: GraphQLSchema, text: string): { found: FoundName[]; isCut: boolean } {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return { found: [], isCut: false };
  const ranked: { rank: number; name: FoundName }[] = [];
  for (const name of namesOf(schema)) {
    const whole = name.coordinate.toLowerCase();
    // A text with a dot is compared with the whole coordinate, any other text with its last name.
    const own = wanted.includes('.') ? whole : (/([^.(]+?)(:\))?$/.exec(whole)?.[1] ?? whole);
    const at = own.indexOf(wanted);
    if (at >= 0) ranked.push({ rank: own === wanted ? 0 : at === 0 ? 1 : 2, name });
  }
  const found = ranked.sort((a, b) => a.rank - b.rank).map(({ name }) => name);
  return { found: found.slice(0, MOST), isCut: found.length > MOST };
}

function* namesOf(schema: GraphQLSchema): Iterable<FoundName> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    yield { coordinate: type.name, page: type.name, description: type.description ?? '' };
    if (isEnumType(type)) {
      for (const { name, description } of type.getValues())
        yield { coordinate: `${type.name}.${name}`, page: type.name, description: description ?? '' };
    } else if (isInputObjectType(type)) {
      for (const { name, description } of Object.values(type.getFields()))
        yield { coordinate: `${type.name}.${name}`, page: type.name, description: description ?? '' };
    } else if (isObjectType(type) || isInterfaceType(type)) {
      for (const field of Object.values(type.getFields())) {
        const page = `${type.name}.${field.name}`;
        yield { coordinate: page, page, description: field.description ?? '' };
        for (const arg of field.args)
          yield { coordinate: `${page}(${arg.name}:)`, page, description: arg.description ?? '' };
      }
    }
  }
}
