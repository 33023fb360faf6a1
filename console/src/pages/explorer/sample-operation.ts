/** Initial operation of the explorer if the sample API is served. */
export const SAMPLE_OPERATION = `query Neighbors($first: Int = 20) {
  countries(first: $first) {
    name
    borders { name }
  }
}
`;
