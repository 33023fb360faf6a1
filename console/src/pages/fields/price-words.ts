import { whole } from '../../parts/text/format.js';

export interface PricedField {
  weight?: number | null;
  typeWeight?: number | null;
  isComputed: boolean;
  sizeSource?: 'ARGUMENTS' | 'PARENT' | 'ASSUMED_SIZE' | 'DEFAULT' | null;
  isSizeInferred: boolean;
  sizeArguments: readonly string[];
  assumedSize?: number | null;
}

/** Describes the price of a field: its annotation, or that the profile determines it. */
export function priceWords({ weight, typeWeight, isComputed }: PricedField): string {
  if (isComputed) return 'computed in code';
  const parts = [
    ...(weight == null ? [] : [`${weight} a call`]),
    ...(typeWeight == null ? [] : [`${typeWeight} an object`]),
  ];
  return parts.length > 0 ? parts.join(', ') : 'by profile';
}

/** Describes the source of the size of a list. Undefined: the field returns no list. */
export function sizeWords({ sizeSource, isSizeInferred, sizeArguments, assumedSize }: PricedField): string | undefined {
  const byName = isSizeInferred ? ', by its name' : '';
  const otherwise = assumedSize == null ? byName : `, else ${whole(assumedSize)}${byName}`;
  switch (sizeSource) {
    case 'ARGUMENTS':
      return `${sizeArguments.join(', ')}${otherwise}`;
    case 'PARENT':
      return `a field above it${otherwise}`;
    case 'ASSUMED_SIZE':
      return `${whole(assumedSize ?? 0)}, annotated`;
    case 'DEFAULT':
      return assumedSize == null ? 'a guess' : `${whole(assumedSize)}, a guess`;
    default:
      return undefined;
  }
}

/**
 * Returns the annotation that would have priced the calls of a field correctly. Undefined: nothing
 * to set.
 */
export function suggestion({
  suggestedAssumedSize,
  suggestedWeight,
}: {
  suggestedAssumedSize?: number | null;
  suggestedWeight?: number | null;
}): string | undefined {
  if (suggestedAssumedSize != null) return `@listSize(assumedSize: ${suggestedAssumedSize})`;
  if (suggestedWeight != null) return `@cost(weight: "${Number(suggestedWeight.toPrecision(3))}")`;
  return undefined;
}
