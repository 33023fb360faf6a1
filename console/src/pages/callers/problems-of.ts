/** Makes a change and says why it was not made: what was wrong with the input, or the error; undefined when it was. */
export async function problemsOf(change: () => Promise<object>): Promise<string | undefined> {
  try {
    // A mutation has one field; it is null where the error says why.
    const payloads: ({ userErrors?: { message: string }[] } | null)[] = Object.values(await change());
    const messages = payloads.flatMap((payload) => payload?.userErrors ?? []).map(({ message }) => message);
    return messages.length > 0 ? messages.join('. ') : undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
