/**
 * Runs a change. Returns the messages of the errors that prevented it, or undefined if it
 * succeeded.
 */
export async function problemsOf(change: () => Promise<object>): Promise<string | undefined> {
  try {
    // A mutation has one field. It is null if there is an error.
    const payloads: ({ userErrors?: { message: string }[] } | null)[] = Object.values(await change());
    const messages = payloads.flatMap((payload) => payload?.userErrors ?? []).map(({ message }) => message);
    return messages.length > 0 ? messages.join('. ') : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
