import { type GraphQLField, type GraphQLNamedType, type GraphQLSchema, getNamedType } from 'graphql';
import type { Annotations } from '../annotations/annotations.js';
import type { FieldListSize } from '../annotations/merge-list-sizes.js';
import { readSizedFields, type SizedFields } from '../annotations/sized-fields.js';
import { type FieldOfType, fieldsOfName } from './fields-of-name.js';

type Field = GraphQLField<unknown, unknown>;

/** Returns the lists below a field that get their size from the field. */
export function listsBelow(
  { schema, annotations }: { schema: GraphQLSchema; annotations: Annotations },
  field: Field,
  { sizedFields, sizesPages }: FieldListSize,
): FieldOfType[] {
  if (sizesPages) return annotations.pages?.listsOf(getNamedType(field.type)) ?? [];
  const found: FieldOfType[] = [];
  function add(type: GraphQLNamedType, fields: SizedFields): void {
    for (const name of fields) found.push(...fieldsOfName(schema, type, name));
    for (const [name, below] of fields.below) {
      for (const { field: inner } of fieldsOfName(schema, type, name)) add(getNamedType(inner.type), below);
    }
  }
  add(getNamedType(field.type), readSizedFields(sizedFields));
  return found;
}

/**
 * Returns the lists below a field that get their size from the field, in the notation of
 * `sizedFields`.
 */
export function namesOfSized(
  annotations: Pick<Annotations, 'pages'>,
  field: Field,
  { sizedFields, sizesPages }: Pick<FieldListSize, 'sizedFields' | 'sizesPages'>,
): readonly string[] {
  if (!sizesPages) return sizedFields;
  const paths = annotations.pages
    ?.listsOf(getNamedType(field.type))
    .map(({ path }) => path.join(' { ') + ' }'.repeat(path.length - 1));
  return [...new Set(paths)];
}
