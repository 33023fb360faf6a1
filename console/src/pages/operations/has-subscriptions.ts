/** Returns whether a list of operations has subscriptions, whose requests include events. */
export function hasSubscriptions(rows: readonly { operation: { type: string } }[]): boolean {
  return rows.some(({ operation }) => operation.type === 'SUBSCRIPTION');
}
