import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RefusalName } from './requests.js';

/** What the sender is told: which requests, and how many. */
export interface Order {
  url: string;
  refusal: RefusalName;
  request: string;
  from: number;
  count: number;
}

/** What the last of them was answered. */
export interface Answered {
  status: number;
  code: string;
  text: string;
}

export type Sender = ReturnType<typeof startSender>;

export function startSender() {
  const child = fork(fileURLToPath(new URL('./send-process.ts', import.meta.url)));
  return {
    send: (order: Order) =>
      new Promise<Answered>((resolve, reject) => {
        const onExit = (code: number | null) => reject(new Error(`the sender ended with ${code}`));
        child.once('exit', onExit);
        child.once('message', (answered) => {
          child.off('exit', onExit);
          resolve(answered as Answered);
        });
        child.send(order);
      }),
    stop: () => child.disconnect(),
  };
}
