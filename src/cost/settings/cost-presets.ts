/** Overlay entry of a preset: see `defaultSize` of `ExactPrice`. */
interface PresetEntry {
  readonly defaultSize: number;
}

/** Overlay that sets the list sizes that are usual in a well-known schema. */
export type PresetEntries = Readonly<Record<string, PresetEntry>>;

const sizes = (entries: Readonly<Record<string, number>>): PresetEntries =>
  Object.fromEntries(Object.entries(entries).map(([key, defaultSize]) => [key, { defaultSize }]));

/** Lists of errors, which are usually empty and rarely have more than one item. */
const ERRORS = sizes({
  '*.errors': 1,
  '*.*Errors': 1,
  '*.*_errors': 1,
  '*.warnings': 1,
  '*.*Warnings': 1,
  '*.problems': 1,
  '*.violations': 1,
});

/**
 * Presets by name. Each size is a maximum or a number that the API documents, or the usual length
 * of a short list. Lists that may be long have no entry, so that the default list size applies to
 * them.
 */
export const COST_PRESETS = {
  errors: ERRORS,
  github: {
    ...ERRORS,
    ...sizes({
      // The API returns a group for each of the eight reactions, even for those that no user chose.
      '*.reactionGroups': 8,
      // A calendar covers one year.
      'ContributionCalendar.months': 13,
      'ContributionCalendar.weeks': 53,
      'ContributionCalendarWeek.contributionDays': 7,
    }),
  },
  saleor: {
    ...ERRORS,
    ...sizes({
      // Each level of a menu multiplies all levels below it.
      'MenuItem.children': 3,
      '*.attributes': 5,
      'SelectedAttribute.values': 2,
      'ProductVariant.media': 2,
      '*.media': 5,
      '*.images': 5,
      'Product.collections': 3,
      '*.metadata': 5,
      '*.privateMetadata': 5,
      '*.availablePaymentGateways': 3,
      'PaymentGateway.config': 3,
      '*.availableShippingMethods': 5,
      '*.shippingMethods': 5,
      '*.availableCollectionPoints': 5,
      '*.discounts': 2,
      '*.giftCards': 1,
      '*.addresses': 5,
      '*.permissions': 5,
      '*.userPermissions': 5,
    }),
  },
  shopify: {
    ...ERRORS,
    ...sizes({
      // A product has at most three options, and a variant has one value for each option.
      '*.selectedOptions': 3,
      '*.variantOptions': 3,
      'Product.options': 3,
      // Each level of a menu multiplies all levels below it.
      'MenuItem.items': 4,
      '*.attributes': 3,
      '*.customAttributes': 3,
      '*.discountAllocations': 2,
      '*.discountApplications': 2,
      '*.discountCodes': 2,
      '*.appliedGiftCards': 1,
      '*.taxLines': 3,
      '*.taxes': 3,
      '*.sources': 4,
      '*.lineComponents': 2,
    }),
  },
} as const satisfies Readonly<Record<string, PresetEntries>>;

export type CostPreset = keyof typeof COST_PRESETS;

export const COST_PRESET_NAMES = Object.keys(COST_PRESETS) as readonly CostPreset[];
