/** A typical operation of the API's clients. */
export interface UsualOperation {
  readonly what: string;
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** Cost in the profile `tokens`, with the preset of its schema. */
  readonly cost: number;
}

export const GITHUB: readonly UsualOperation[] = [
  {
    what: 'the open issues of a repository',
    query: `query ($after: String) {
      repository(owner: "octo", name: "hello") {
        issues(first: 50, after: $after, states: OPEN) {
          totalCount
          pageInfo { hasNextPage endCursor }
          nodes { number title author { login } comments { totalCount } }
        }
      }
    }`,
    cost: 153,
  },
  {
    what: 'a pull request with its files and reviews',
    query: `{
      repository(owner: "octo", name: "hello") {
        pullRequest(number: 1) {
          title
          files(first: 100) { nodes { path additions } }
          reviews(last: 20) { nodes { state author { login } comments(first: 10) { nodes { body } } } }
        }
      }
    }`,
    cost: 364,
  },
  {
    what: 'the repositories of the viewer',
    query: `{
      viewer {
        login
        repositories(first: 100, ownerAffiliations: OWNER) {
          nodes { nameWithOwner stargazerCount primaryLanguage { name } defaultBranchRef { name } }
        }
      }
    }`,
    cost: 302,
  },
  {
    what: 'a search for repositories with their topics',
    query: `query ($text: String!) {
      search(query: $text, type: REPOSITORY, first: 20) {
        repositoryCount
        nodes { ... on Repository { nameWithOwner repositoryTopics(first: 5) { nodes { topic { name } } } } }
      }
    }`,
    variables: { text: 'graphql' },
    cost: 241,
  },
  {
    what: 'the history of a branch',
    query: `{
      repository(owner: "octo", name: "hello") {
        object(expression: "main") {
          ... on Commit { history(first: 50) { nodes { oid messageHeadline author { user { login } } } } }
        }
      }
    }`,
    cost: 153,
  },
  {
    what: 'a comment that is added',
    query: `mutation ($id: ID!) {
      addComment(input: { subjectId: $id, body: "Thank you" }) { commentEdge { node { id body } } }
    }`,
    variables: { id: 'I_1' },
    cost: 13,
  },
];

export const STOREFRONT: readonly UsualOperation[] = [
  {
    what: 'the page of a product',
    query: `query ($handle: String!) {
      product(handle: $handle) {
        id title descriptionHtml
        options { name optionValues { name swatch { color } } }
        images(first: 20) { nodes { url altText } }
        variants(first: 50) {
          nodes {
            id title availableForSale
            price { amount currencyCode }
            compareAtPrice { amount }
            selectedOptions { name value }
          }
        }
        seo { title description }
      }
    }`,
    variables: { handle: 'shirt' },
    cost: 387,
  },
  {
    what: 'the page of a collection',
    query: `query ($handle: String!) {
      collection(handle: $handle) {
        title
        products(first: 24) {
          pageInfo { hasNextPage }
          nodes {
            id title handle
            featuredImage { url }
            priceRange { minVariantPrice { amount currencyCode } }
            variants(first: 1) { nodes { id } }
          }
        }
      }
    }`,
    variables: { handle: 'sale' },
    cost: 147,
  },
  {
    what: 'a cart',
    query: `query ($id: ID!) {
      cart(id: $id) {
        id totalQuantity
        cost { subtotalAmount { amount } totalAmount { amount } }
        discountCodes { code applicable }
        lines(first: 50) {
          nodes {
            id quantity
            cost { totalAmount { amount } }
            merchandise {
              ... on ProductVariant { id title product { title handle } image { url } selectedOptions { name value } }
            }
          }
        }
      }
    }`,
    variables: { id: 'gid://shopify/Cart/1' },
    cost: 457,
  },
  {
    what: 'lines that are added to a cart',
    query: `mutation ($id: ID!) {
      cartLinesAdd(cartId: $id, lines: [{ merchandiseId: "gid://shopify/ProductVariant/1", quantity: 1 }]) {
        cart { id totalQuantity lines(first: 50) { nodes { id quantity } } }
        userErrors { field message }
      }
    }`,
    variables: { id: 'gid://shopify/Cart/1' },
    cost: 64,
  },
  {
    what: 'suggestions of a search',
    query: `query ($text: String!) {
      predictiveSearch(query: $text, limit: 10) {
        products { id title handle featuredImage { url } }
        collections { id title }
        articles { id title }
        queries { text }
      }
    }`,
    variables: { text: 'shi' },
    cost: 51,
  },
  {
    what: 'a menu of three levels',
    query: `{ menu(handle: "main") { items { id title url items { id title url items { id title url } } } } shop { name } }`,
    cost: 212,
  },
];

export const CUSTOMER_ACCOUNT: readonly UsualOperation[] = [
  {
    what: 'the orders of a customer',
    query: `{
      customer {
        firstName
        orders(first: 20) {
          nodes {
            id number
            totalPrice { amount }
            fulfillments(first: 5) { nodes { status } }
            lineItems(first: 20) { nodes { title quantity } }
          }
        }
      }
    }`,
    cost: 582,
  },
  {
    what: 'the addresses of a customer',
    query: `{ customer { defaultAddress { id formatted } addresses(first: 10) { nodes { id formatted city } } } }`,
    cost: 13,
  },
  {
    what: 'an order with its discounts',
    query: `query ($id: ID!) {
      order(id: $id) {
        number
        lineItems(first: 50) {
          nodes { title quantity price { amount } discountAllocations { allocatedAmount { amount } } }
        }
        shippingAddress { formatted }
      }
    }`,
    variables: { id: 'gid://shopify/Order/1' },
    cost: 303,
  },
];

export const NAUTICAL: readonly UsualOperation[] = [
  {
    what: 'the products of a shop',
    query: `{
      products(first: 24) {
        edges { node { id name slug thumbnail { url } category { name } } }
        pageInfo { hasNextPage endCursor }
      }
    }`,
    cost: 98,
  },
  {
    what: 'the page of a product',
    query: `query ($slug: String) {
      product(slug: $slug) {
        id name description
        images { url }
        variants { id name sku images { url } }
        attributes { attribute { name } values { name } }
      }
    }`,
    variables: { slug: 'shirt' },
    cost: 86,
  },
  {
    what: 'an order with its lines',
    query: `query ($id: ID!) { order(id: $id) { number lines { id productName quantity } invoices { id number } } }`,
    variables: { id: 'T3JkZXI6MQ==' },
    cost: 21,
  },
];
