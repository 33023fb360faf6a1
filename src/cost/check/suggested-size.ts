import type { ListSize } from '../annotations/merge-list-sizes.js';

interface SizeSuggestion {
  /** Size in operations without slicing arguments. Undefined if every operation has one. */
  readonly assumedSize: number | undefined;
  readonly requiresSlicing: boolean;
}

/**
 * Returns the members of a suggested annotation: the known arguments and an `assumedSize`. With the
 * suggestion, every call that was valid before remains valid. By default an annotation allows only
 * one slicing argument, and some profiles require one. If that would reject valid calls, the
 * suggestion includes `requireOneSlicingArgument: false`.
 */
export function suggestedSize(
  { slicingArguments, sizedFields }: Pick<ListSize, 'slicingArguments' | 'sizedFields'>,
  { assumedSize, requiresSlicing }: SizeSuggestion,
): Partial<ListSize> {
  const rejectsCalls = slicingArguments.length > (requiresSlicing && assumedSize !== undefined ? 0 : 1);
  return {
    ...(assumedSize !== undefined && { assumedSize }),
    ...(slicingArguments.length > 0 && { slicingArguments }),
    ...(sizedFields.length > 0 && { sizedFields }),
    ...(rejectsCalls && { requireOneSlicingArgument: false }),
  };
}

/** Returns a suggested annotation in SDL. */
export function annotationText(size: Partial<ListSize>): string {
  const members = Object.entries(size).map(([name, value]) => `${name}: ${JSON.stringify(value)}`);
  return `@listSize(${members.join(', ')})`;
}

/** Returns a suggested annotation as a YAML entry for a file of prices. */
export function entryOf(coordinate: string, size: Partial<ListSize>): string {
  const members = Object.entries(size).map(([name, value]) => `${name}: ${yamlOf(value)}`);
  return `${JSON.stringify(coordinate)}: { ${members.join(', ')} }`;
}

/** Returns a value in YAML. Only paths such as `results { page }` need quotation marks. */
function yamlOf(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(yamlOf).join(', ')}]`;
  return /^[\w.]+$/.test(String(value)) ? String(value) : JSON.stringify(value);
}
