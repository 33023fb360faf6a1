/** Returns the IANA names of the time zones that the runtime knows, `UTC` first. */
export function timeZones(): readonly string[] {
  return [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];
}
