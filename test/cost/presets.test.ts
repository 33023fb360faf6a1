import { readFileSync } from 'node:fs';
import { buildSchema, type GraphQLSchema, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import { createCostAnalyzer } from '../../src/cost/create-cost-analyzer.js';
import { findFittingPreset } from '../../src/cost/overlay/find-fitting-preset.js';
import { parseSchema } from '../../src/cost/schema/parse-schema.js';
import type { CostAnalyzerOptions } from '../../src/cost/settings/cost-analyzer-options.js';
import { COST_PRESETS } from '../../src/cost/settings/cost-presets.js';
import { costTypeDefs } from '../../src/entry/cost.js';
import { DEFAULT_TIERS } from '../../src/rules/policy/default-tiers.js';
import { publishedSchemaOf, restoreSchema } from '../../src/services/published-schema.js';

const BUCKET = DEFAULT_TIERS.find(({ isDefault }) => isDefault)!.capacity!;
const github = parseSchema(
  readFileSync(new URL('../../node_modules/@octokit/graphql-schema/schema.graphql', import.meta.url), 'utf8'),
).schema;

/** A shop's lists, with the type names of Saleor. The schema `shopify` has those of Shopify. */
const saleor = buildSchema(`
  type Query {
    menu(slug: String): Menu
    product(slug: String): Product
    products(first: Int, after: String): ProductCountableConnection
    checkout(id: ID): Checkout
  }
  type Mutation { checkoutLinesUpdate(id: ID, lines: [LineInput!]!): CheckoutLinesUpdate }
  input LineInput { variantId: ID quantity: Int! }
  type CheckoutLinesUpdate { checkout: Checkout errors: [CheckoutError!]! checkoutErrors: [CheckoutError!]! }
  type CheckoutError { field: String message: String }
  type Menu { items: [MenuItem!] }
  type MenuItem { id: ID! name: String! children: [MenuItem!] category: Category collection: Collection }
  type Category { id: ID! slug: String }
  type Collection { id: ID! slug: String }
  type ProductCountableConnection { edges: [ProductCountableEdge!]! totalCount: Int }
  type ProductCountableEdge { node: Product! }
  type Product {
    id: ID! name: String category: Category thumbnail: Image media: [ProductMedia!] collections: [Collection!]
    variants: [ProductVariant!] attributes: [SelectedAttribute!]! metadata: [MetadataItem!]! pricing: Pricing
  }
  type ProductVariant { id: ID! name: String attributes: [SelectedAttribute!]! media: [ProductMedia!] pricing: Pricing product: Product! }
  type SelectedAttribute { attribute: Attribute! values: [AttributeValue!]! }
  type Attribute { id: ID! name: String }
  type AttributeValue { id: ID! name: String }
  type ProductMedia { url: String }
  type Image { url: String }
  type MetadataItem { key: String! value: String! }
  type Pricing { price: TaxedMoney priceUndiscounted: TaxedMoney }
  type TaxedMoney { gross: Money! }
  type Money { amount: Float! currency: String! }
  type Checkout {
    id: ID! lines: [CheckoutLine!]! availablePaymentGateways: [PaymentGateway!]! shippingMethods: [ShippingMethod!]!
  }
  type CheckoutLine { id: ID! quantity: Int! totalPrice: TaxedMoney variant: ProductVariant! problems: [CheckoutLineProblem!] }
  type CheckoutLineProblem { line: CheckoutLine }
  type PaymentGateway { id: ID! config: [GatewayConfigLine!]! currencies: [String!]! }
  type GatewayConfigLine { field: String! value: String }
  type ShippingMethod { id: ID! price: Money }
`);
const shopify = buildSchema(`
  type Query { product(handle: String): Product menu(handle: String!): Menu cart(id: ID!): Cart }
  type Mutation { cartLinesAdd(cartId: ID!, lines: [CartLineInput!]!): CartLinesAddPayload }
  input CartLineInput { merchandiseId: ID! }
  type CartLinesAddPayload { cart: Cart userErrors: [UserError!]! warnings: [CartWarning!]! }
  type UserError { message: String }
  type CartWarning { message: String }
  type Menu { items: [MenuItem!]! }
  type MenuItem { title: String items: [MenuItem!]! }
  type Product { options(first: Int): [ProductOption!]! variant: ProductVariant adjacentVariants: [ProductVariant!]! }
  type ProductOption { name: String optionValues: [ProductOptionValue!]! }
  type ProductOptionValue { name: String firstSelectableVariant: ProductVariant swatch: Swatch }
  type Swatch { image: Image }
  type Image { url: String }
  type Money { amount: Float }
  type ProductVariant { id: ID! price: Money image: Image product: Product selectedOptions: [SelectedOption!]! }
  type SelectedOption { name: String value: String }
  type Cart { lines(first: Int): CartLineConnection attributes: [Attribute!]! discountAllocations: [Allocation!]! }
  type CartLineConnection { nodes: [CartLine!]! }
  type CartLine { attributes: [Attribute!]! cost: Money merchandise: ProductVariant }
  type Attribute { key: String }
  type Allocation { amount: Money }
`);

const SHOPIFY_VARIANT = 'id price { amount } image { url } product { __typename } selectedOptions { name value }';
const SALEOR_PRICE = 'pricing { price { gross { amount currency } } priceUndiscounted { gross { amount currency } } }';
const SALEOR_ATTRIBUTES = 'attributes { attribute { id name } values { id name } }';

const costOf = (schema: GraphQLSchema, query: string, options: CostAnalyzerOptions) =>
  createCostAnalyzer(schema, { minimumCost: 0, ...options })
    .compile(parse(query))
    .estimate().cost;

describe('presets', () => {
  it.each([
    [
      'saleor',
      'a product page',
      saleor,
      `{ product(slug: "a") { name category { slug } media { url } metadata { key } ${SALEOR_ATTRIBUTES} ${SALEOR_PRICE}
         variants { name ${SALEOR_ATTRIBUTES} media { url } ${SALEOR_PRICE} } } }`,
    ],
    [
      'saleor',
      'a menu of three levels',
      saleor,
      '{ menu(slug: "a") { items { name category { slug } children { name category { slug } children { name category { slug } } } } } }',
    ],
    [
      'saleor',
      'a checkout',
      saleor,
      `{ checkout(id: 1) { availablePaymentGateways { id config { field value } } shippingMethods { price { amount } }
         lines { totalPrice { gross { amount } } problems { __typename }
           variant { ${SALEOR_ATTRIBUTES} ${SALEOR_PRICE} product { name thumbnail { url } category { slug } ${SALEOR_ATTRIBUTES} } } } } }`,
    ],
    [
      'shopify',
      'a product page',
      shopify,
      `{ product(handle: "a") { variant { ${SHOPIFY_VARIANT} } adjacentVariants { ${SHOPIFY_VARIANT} }
         options { name optionValues { name firstSelectableVariant { ${SHOPIFY_VARIANT} } swatch { image { url } } } } } }`,
    ],
    [
      'shopify',
      'a menu',
      shopify,
      '{ menu(handle: "a") { items { title items { title items { title items { title } } } } } }',
    ],
  ] as const)('preset %s reduces the cost of %s from above the default bucket to below it', (preset, _, schema, query) => {
    expect(costOf(schema, query, {})).toBeGreaterThan(BUCKET);
    expect(costOf(schema, query, { presets: [preset] })).toBeLessThanOrEqual(BUCKET);
  });

  it('a preset prices what the API always returns, even above the default list size', () => {
    const calendar =
      '{ viewer { contributionsCollection { contributionCalendar { weeks { contributionDays { date } } } } } }';
    expect(costOf(github, calendar, { presets: ['github'] })).toBe(3 + 53 + 53 * 7);
    const reactions = '{ viewer { issues(first: 20) { nodes { reactionGroups { content } } } } }';
    expect(costOf(github, reactions, { presets: ['github'] })).toBe(2 + 20 + 20 * 8);
  });

  it('annotations, arguments, pages and the overlay have precedence over a preset', () => {
    const schema = buildSchema(`${costTypeDefs}
      type Query { annotated: A asked: B page(first: Int): C plain: D }
      type A { errors: [E] @listSize(assumedSize: 7) } type B { errors(limit: Int): [E] }
      type C { edges: [E] } type D { errors: [E] userErrors: [E] } type E { message: String }`);
    const price = (query: string, options: CostAnalyzerOptions = {}) =>
      costOf(schema, query, { presets: ['errors'], ...options });
    expect(price('{ plain { errors { message } } }')).toBe(2);
    expect(price('{ annotated { errors { message } } }')).toBe(8);
    expect(price('{ asked { errors(limit: 30) { message } } }')).toBe(31);
    expect(price('{ page(first: 4) { edges { message } } }')).toBe(5);
    expect(price('{ plain { errors { message } } }', { overlay: { '*.errors': { assumedSize: 4 } } })).toBe(5);
    expect(price('{ plain { errors { message } } }', { overlay: { '*.errors': { defaultSize: 6 } } })).toBe(7);
    expect(price('{ plain { userErrors { message } } }', { overlay: { '*.errors': { defaultSize: 6 } } })).toBe(2);
  });

  it('a preset removes the warnings about its lists, and adds none if its lists are missing', () => {
    const warned = (presets: CostAnalyzerOptions['presets']) =>
      createCostAnalyzer(saleor, presets && { presets })
        .check()
        .map(({ coordinate }) => coordinate);
    expect(warned(undefined)).toEqual(expect.arrayContaining(['CheckoutLinesUpdate.errors', 'MenuItem.children']));
    const left = warned(['saleor']);
    for (const gone of ['CheckoutLinesUpdate.errors', 'CheckoutLinesUpdate.checkoutErrors', 'MenuItem.children']) {
      expect(left).not.toContain(gone);
    }
    const none = buildSchema('type Query { a: Int }');
    expect(createCostAnalyzer(none, { presets: ['errors', 'github', 'saleor', 'shopify'] }).check()).toEqual([]);
  });

  it('a preset is suggested only for the schema that it is made for', () => {
    expect([github, saleor, shopify].map(findFittingPreset)).toEqual(['github', 'saleor', 'shopify']);
    expect(findFittingPreset(buildSchema('type Query { errors: [Query] }'))).toBeUndefined();
  });

  it('the github preset names only fields of the GitHub schema', () => {
    const fields = new Set(
      createCostAnalyzer(github)
        .fields()
        .map(({ coordinate }) => coordinate),
    );
    const named = Object.keys(COST_PRESETS.github).filter((key) => !key.includes('*'));
    expect(named.filter((key) => !fields.has(key))).toEqual([]);
  });

  it('the published schema of a service contains its presets', () => {
    const { schema, analyzer } = restoreSchema(publishedSchemaOf('shop', saleor, { presets: ['saleor'] }));
    const document = parse('{ menu { items { children { name } } } }');
    expect(schema.getType('MenuItem')).toBeDefined();
    expect(analyzer.compile(document).estimate().cost).toBe(1 + 10 + 30);
  });

  it('an unknown preset name is an error', () => {
    expect(() => createCostAnalyzer(saleor, { presets: ['shopfiy'] as never })).toThrow(
      'presets[0]: expected "errors", "github", "saleor" or "shopify", got "shopfiy"; did you mean "shopify"?',
    );
  });
});
