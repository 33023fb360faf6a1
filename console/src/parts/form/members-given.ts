/** Returns the members that are neither null nor undefined. In an input, null would clear a member. */
export function membersGiven<Value extends object>(value: Value): Value {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one != null)) as Value;
}
