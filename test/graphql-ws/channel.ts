/** The events of one field. Each subscription gets the events that are published after its start. */
export class Channel {
  readonly #readers = new Set<(event: unknown) => void>();

  get readers(): number {
    return this.#readers.size;
  }

  publish(event: unknown): void {
    for (const read of this.#readers) read(event);
  }

  subscribe(): AsyncIterableIterator<unknown> {
    const waiting: unknown[] = [];
    let wake = () => {};
    let hasEnded = false;
    const read = (event: unknown) => {
      waiting.push(event);
      wake();
    };
    this.#readers.add(read);
    const end = () => {
      hasEnded = true;
      this.#readers.delete(read);
      wake();
    };
    return {
      async next() {
        for (;;) {
          if (hasEnded) return { done: true, value: undefined };
          const value = waiting.shift();
          if (value === END) end();
          else if (value instanceof Error) {
            end();
            throw value;
          } else if (value !== undefined) return { done: false, value };
          else
            await new Promise<void>((resolve) => {
              wake = resolve;
            });
        }
      },
      async return() {
        end();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }
}

/** Event after which the source of a subscription is complete. */
export const END = Symbol('end');
