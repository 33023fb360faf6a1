import { short, whole } from '../../parts/text/format.js';
import { fieldsText } from '../../text/fields-text.js';
import { isLeaf } from './explorer-path.js';

const { price, size } = fieldsText;

export interface PricedField {
  weight?: number | null;
  typeWeight?: number | null;
  isComputed: boolean;
  callCost?: number | null;
  itemCost: number;
  cost?: number | null;
  /** Type that the field returns, in SDL. */
  type: string;
  sizeSource?: 'ARGUMENTS' | 'PARENT' | 'ASSUMED_SIZE' | 'DEFAULT' | null;
  isSizeInferred: boolean;
  sizeArguments: readonly string[];
  assumedSize?: number | null;
}

/** Describes the parts of a price in force, each with its source: `@cost` or the default. */
export function priceWords(field: PricedField): string {
  const { weight, typeWeight, isComputed, callCost, itemCost, type } = field;
  if (isComputed) return price.computed;
  const per = isLeaf(type) ? price.perValue : price.perObject;
  const parts = [
    ...(weight != null || callCost ? [price.perCall(short(callCost ?? 0), sourceOf(weight))] : []),
    ...(typeWeight != null || itemCost
      ? [per(short(itemCost), sourceOf(typeWeight === itemCost ? typeWeight : null))]
      : []),
  ];
  return parts.length > 0 ? parts.join(', ') : price.free;
}

/** Returns whether an annotation or a function prices the field. */
export function hasOwnPrice({ weight, typeWeight, isComputed }: PricedField): boolean {
  return isComputed || weight != null || typeWeight != null;
}

function sourceOf(annotated: number | null | undefined): string {
  return annotated == null ? price.default : price.annotated;
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
