import {
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isIntrospectionType,
  isListType,
  isObjectType,
} from 'graphql';

/**
 * Number of levels that are searched for page lists below a field with a page argument, such as
 * `first`.
 */
export const MAX_PAGE_LEVELS = 3;

type Holder = GraphQLObjectType | GraphQLInterfaceType;
type Field = GraphQLField<unknown, unknown>;

/** List whose size page arguments of a field above it may set. */
interface PageList {
  /** Names of the fields that lead to the list; the last one is the list itself. */
  readonly path: readonly string[];
  readonly holder: Holder;
  readonly field: Field;
}

/** Page lists of a schema. All distances are limited to `MAX_PAGE_LEVELS`. */
export interface PageLists {
  /** Whether the field is a list whose size page arguments of fields above it may set. */
  isPage(holder: Holder, field: Field): boolean;
  /**
   * Returns the number of levels from a field down to its nearest page lists. Returns 0 in these
   * cases:
   * - There are no page lists below the field.
   * - `holder` has lists. A page argument above the field sets the size of these lists, and of no
   *   lists below the field.
   * - The field has its own list size annotation or sizing arguments.
   * - The field returns a list, errors or page metadata, or `holder` is an interface.
   */
  distance(holder: Holder, field: Field): number;
  /** Whether a page argument of a field of this type sizes any list. */
  leadsToPages(type: GraphQLNamedType): boolean;
  /** Returns the lists whose size a page argument of a field of this type sets. */
  listsOf(type: GraphQLNamedType): PageList[];
}

interface PageListsOptions {
  readonly schema: GraphQLSchema;
  /** Whether the field, or the same field of an interface, has a list size annotation. */
  readonly isAnnotated: (holder: Holder, field: Field) => boolean;
  /** Whether the field has arguments that size lists. */
  readonly hasSizingArguments: (field: Field) => boolean;
}

/**
 * Names and types of fields that can be next to a page list and are not page lists themselves:
 * errors, and page metadata such as `pageInfo`.
 */
const ERRORS = /(errors?|warnings?|problems?|violations?)$/i;
const ERROR_TYPE = /(Error|Warning|Problem|Violation)(Type|Interface)?$/;
const PAGE_INFO = /page_?infos?$/i;
const PAGE_INFO_TYPE = /PageInfo(Type|Interface)?$/;

/** Creates a finder of page lists. It examines each type on first use. */
export function createPageLists({ schema, isAnnotated, hasSizingArguments }: PageListsOptions): PageLists {
  const holding = new Map<GraphQLObjectType, boolean>();
  const distances = Array.from({ length: MAX_PAGE_LEVELS + 1 }, () => new Map<GraphQLNamedType, number>());

  function isPage(holder: Holder, field: Field): boolean {
    return isObjectList(field) && !isIntrospectionType(holder) && !isAnnotated(holder, field);
  }

  /** Returns whether an object type has list fields, including annotated ones. */
  function holdsLists(type: GraphQLObjectType): boolean {
    let holds = holding.get(type);
    if (holds === undefined) {
      holds = Object.values(type.getFields()).some(isObjectList);
      holding.set(type, holds);
    }
    return holds;
  }

  function leadsOn(holder: GraphQLObjectType, field: Field): boolean {
    return (
      !isListType(getNullableType(field.type)) &&
      isCompositeType(getNamedType(field.type)) &&
      !isPageMetadata(field) &&
      !holdsLists(holder) &&
      !isAnnotated(holder, field) &&
      !hasSizingArguments(field)
    );
  }

  function distanceFrom(type: GraphQLNamedType, max: number): number {
    if (max < 1 || !isCompositeType(type) || isIntrospectionType(type)) return 0;
    const known = distances[max]!.get(type);
    if (known !== undefined) return known;
    let nearest = 0;
    for (const object of objectsOf(type)) {
      const distance = distanceFromObject(object, nearest === 0 ? max : nearest - 1);
      if (distance > 0) nearest = distance;
      if (nearest === 1) break;
    }
    distances[max]!.set(type, nearest);
    return nearest;
  }

  function distanceFromObject(type: GraphQLObjectType, max: number): number {
    if (max < 1) return 0;
    const fields = Object.values(type.getFields());
    if (fields.some((field) => isPage(type, field))) return 1;
    let nearest = 0;
    for (const field of fields) {
      const left = (nearest === 0 ? max : nearest - 1) - 1;
      if (left < 1 || !leadsOn(type, field)) continue;
      const below = distanceFrom(getNamedType(field.type), left);
      if (below > 0) nearest = below + 1;
    }
    return nearest;
  }

  function distance(holder: Holder, field: Field, max = MAX_PAGE_LEVELS): number {
    if (!isObjectType(holder) || !leadsOn(holder, field)) return 0;
    return distanceFrom(getNamedType(field.type), max);
  }

  function listsOf(type: GraphQLNamedType, max = MAX_PAGE_LEVELS): PageList[] {
    if (max < 1) return [];
    return objectsOf(type).flatMap((holder) =>
      Object.values(holder.getFields()).flatMap((field): PageList[] => {
        if (isPage(holder, field)) return [{ path: [field.name], holder, field }];
        if (distance(holder, field, max - 1) === 0) return [];
        const below = listsOf(getNamedType(field.type), max - 1);
        return below.map((list) => ({ ...list, path: [field.name, ...list.path] }));
      }),
    );
  }

  function objectsOf(type: GraphQLNamedType): readonly GraphQLObjectType[] {
    if (isObjectType(type)) return [type];
    return isAbstractType(type) ? schema.getPossibleTypes(type) : [];
  }

  return {
    isPage,
    distance: (holder, field) => distance(holder, field),
    leadsToPages: (type) => distanceFrom(type, MAX_PAGE_LEVELS) > 0,
    listsOf: (type) => listsOf(type),
  };
}

/**
 * Returns whether a field returns a list that may be a page list. It must be a list of objects,
 * except for Relay's `edges` and `nodes`, which are page lists with any item type.
 */
function isObjectList(field: Field): boolean {
  if (!isListType(getNullableType(field.type))) return false;
  if (field.name === 'edges' || field.name === 'nodes') return true;
  return isCompositeType(getNamedType(field.type)) && !isPageMetadata(field);
}

function isPageMetadata(field: Field): boolean {
  return listsErrors(field) || PAGE_INFO.test(field.name) || PAGE_INFO_TYPE.test(getNamedType(field.type).name);
}

/** Returns whether a field contains errors, judged by its name and type. */
export function listsErrors({ name, type }: Field): boolean {
  return ERRORS.test(name) || ERROR_TYPE.test(getNamedType(type).name);
}
