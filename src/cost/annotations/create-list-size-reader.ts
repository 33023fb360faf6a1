import type { GraphQLField } from 'graphql';
import { MAX_COST } from '../../model/limit-parameters.js';
import { type AnnotationSource, directivesOf, overlayEntry, rejectUnknownMembers } from './annotation-source.js';
import { agree, LIST_SIZE_MEMBERS, type ListSize, mergeListSizes, SEVERAL_LIST_SIZES } from './merge-list-sizes.js';
import { isSizedPath } from './sized-fields.js';

interface ListSizeReader {
  /** Returns the list size annotation of a field. Several annotations are merged. */
  listSize(field: GraphQLField<unknown, unknown>, coordinate: string): ListSize | undefined;
  /** Whether the field has a list size annotation, valid or not. */
  hasListSize(field: GraphQLField<unknown, unknown>, coordinate: string): boolean;
  /** Returns the largest list size that a caller may request. */
  maxSize(field: GraphQLField<unknown, unknown>, coordinate: string): number | undefined;
  /**
   * Returns the `defaultSize` annotation of a list: its size if nothing else determines it.
   * Undefined means the default list size.
   */
  defaultSize(field: GraphQLField<unknown, unknown>, coordinate: string): number | undefined;
}

/**
 * Creates a reader of list sizes. The overlay takes precedence over `@listSize`, which takes
 * precedence over `extensions`.
 */
export function createListSizeReader(source: AnnotationSource): ListSizeReader {
  const { names, reject } = source;

  function listSize(field: GraphQLField<unknown, unknown>, coordinate: string): ListSize | undefined {
    const all = rawListSizes(field, coordinate).flatMap((raw) => readListSize(raw, coordinate) ?? []);
    if (all.length < 2) return all[0];
    if (!agree(all)) reject(coordinate, SEVERAL_LIST_SIZES);
    return mergeListSizes(all);
  }

  function rawListSizes(field: GraphQLField<unknown, unknown>, coordinate: string): readonly unknown[] {
    const inOverlay = overlayEntry(source, coordinate)?.listSize;
    if (inOverlay !== undefined) return [inOverlay];
    const directives = directivesOf(field, names.listSize);
    const extension = field.extensions['listSize'];
    if (directives.length > 0 || extension === undefined) return directives;
    if (typeof extension === 'object' && extension !== null) {
      rejectUnknownMembers(extension, { name: 'listSize', known: LIST_SIZE_MEMBERS, coordinate }, source);
    }
    return [extension];
  }

  function readListSize(raw: unknown, coordinate: string): ListSize | undefined {
    if (raw === null) return undefined;
    if (typeof raw !== 'object') return reject(coordinate, `listSize: expected an object, got ${JSON.stringify(raw)}`);
    const { assumedSize, slicingArguments, sizedFields, requireOneSlicingArgument, ...more } = raw as Record<
      string,
      unknown
    >;
    // `slicingArgumentDefaultValue` is Hot Chocolate's name for the size without slicing arguments.
    const { slicingArgumentDefaultValue = assumedSize } = more;
    const paths = toNames(sizedFields, () => reject(coordinate, 'sizedFields: expected a list of names'));
    for (const path of paths.filter((each) => !isSizedPath(each))) {
      const example = 'a name, or a path such as "results { page }"';
      reject(coordinate, `sizedFields: expected ${example}, got ${JSON.stringify(path)}`);
    }
    if (typeof (requireOneSlicingArgument ?? true) !== 'boolean') {
      const got = JSON.stringify(requireOneSlicingArgument);
      reject(coordinate, `requireOneSlicingArgument: expected true or false, got ${got}`);
    }
    return {
      assumedSize: toSize('assumedSize', slicingArgumentDefaultValue ?? assumedSize, (message) =>
        reject(coordinate, message),
      ),
      slicingArguments: toNames(slicingArguments, () =>
        reject(coordinate, 'slicingArguments: expected a list of names'),
      ),
      sizedFields: paths.filter(isSizedPath),
      requireOneSlicingArgument: typeof requireOneSlicingArgument === 'boolean' ? requireOneSlicingArgument : undefined,
    };
  }

  function hasListSize(field: GraphQLField<unknown, unknown>, coordinate: string): boolean {
    const given = overlayEntry(source, coordinate)?.listSize ?? field.extensions['listSize'] ?? undefined;
    return given !== undefined || directivesOf(field, names.listSize).length > 0;
  }

  const sizeNamed =
    (name: 'maxSize' | 'defaultSize') =>
    (field: GraphQLField<unknown, unknown>, coordinate: string): number | undefined => {
      const raw: unknown = overlayEntry(source, coordinate)?.[name] ?? field.extensions[name];
      return toSize(name, raw, (message) => reject(coordinate, message));
    };

  return { listSize, hasListSize, maxSize: sizeNamed('maxSize'), defaultSize: sizeNamed('defaultSize') };
}

function toSize(name: string, raw: unknown, reject: (message: string) => undefined): number | undefined {
  if (raw === undefined || raw === null) return undefined;
  if (typeof raw !== 'number' || !Number.isInteger(raw) || raw < 0)
    return reject(`${name}: expected a whole number of 0 or more, got ${JSON.stringify(raw)}`);
  return Math.min(raw, MAX_COST);
}

/**
 * Returns the names in a value that is one string or a list of strings. Returns an empty list for
 * null and undefined, and calls `reject` for any other value.
 */
export function toNames(raw: unknown, reject: () => undefined): readonly string[] {
  if (raw === undefined || raw === null) return [];
  const names = Array.isArray(raw) ? raw : [raw];
  return names.every((name) => typeof name === 'string') ? names : (reject() ?? []);
}
