/** Returns whether the runtime knows a time zone by this IANA name. */
export function isTimeZone(name: string): boolean {
  // Newer versions of Node also accept offsets such as `+01:00`, which are not names.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
