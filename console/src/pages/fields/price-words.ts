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

/** What a field costs, in words: what is annotated, else that the profile says it. */
export function priceWords({ weight, typeWeight, isComputed }: PricedField): string {
  if (isComputed) return 'computed in code';
  const parts = [
    ...(weight == null ? [] : [`${weight} a call`]),
    ...(typeWeight == null ? [] : [`${typeWeight} an object`]),
  ];
  return parts.length > 0 ? parts.join(', ') : 'by profile';
}

/** Where the size of a list comes from; undefined for what is no list. */
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

/** The annotation by which calls of a field would have been priced right; undefined where there is nothing to set. */
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
