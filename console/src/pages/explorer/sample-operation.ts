/** What the explorer begins with where the sample API is served. */
export const SAMPLE_OPERATION = `query Neighbours($first: Int = 20) {
  countries(first: $first) {
    name
    borders { name }
  }
}
`;
