import { whole } from '../../parts/text/format.js';
import { fieldsText } from '../../text/fields-text.js';

const { price, size } = fieldsText;

export interface PricedField {
  weight?: number | null;
  typeWeight?: number | null;
  isComputed: boolean;
  sizeSource?: 'ARGUMENTS' | 'PARENT' | 'ASSUMED_SIZE' | 'DEFAULT' | null;
  isSizeInferred: boolean;
  sizeArguments: readonly string[];
  assumedSize?: number | null;
}

/** Describes the price of a field: its annotation, or that it is the default of the profile. */
export function priceWords({ weight, typeWeight, isComputed }: PricedField): string {
  if (isComputed) return price.computed;
  const parts = [
    ...(weight == null ? [] : [price.perCall(weight)]),
    ...(typeWeight == null ? [] : [price.perObject(typeWeight)]),
  ];
  return parts.length > 0 ? parts.join(', ') : price.default;
}

/** Describes the source of the size of a list. Undefined: the field returns no list. */
export function sizeWords({ sizeSource, isSizeInferred, sizeArguments, assumedSize }: PricedField): string | undefined {
  const from = (source: string) => {
    const words = isSizeInferred ? size.inferred(source) : source;
    return assumedSize == null ? words : size.withDefault(words, whole(assumedSize));
  };
  switch (sizeSource) {
    case 'ARGUMENTS':
      return from(sizeArguments.join(', '));
    case 'PARENT':
      return from(size.parent);
    case 'ASSUMED_SIZE':
      return size.annotated(whole(assumedSize ?? 0));
    case 'DEFAULT':
      return assumedSize == null ? size.default : size.defaultOf(whole(assumedSize));
    default:
      return undefined;
  }
}

/**
 * Returns the annotation that would have priced the calls of a field correctly, or undefined if no
 * annotation needs to change.
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
