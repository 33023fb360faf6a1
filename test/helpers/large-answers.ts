import { createServer, type Server } from 'node:http';

/** An API with responses of a configurable size, sent as fast as the reader reads them. */
export interface LargeAnswers {
  server: Server;
  /** Approximate size of each response from now on. */
  answerBytes: number;
  /** Number of requests so far. */
  asked: number;
}

export function createLargeAnswers(): LargeAnswers {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const answers: LargeAnswers = { server: createServer(), answerBytes: 0, asked: 0 };
  answers.server.on('request', (request, response) => {
    answers.asked++;
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"data":{"text":"');
    let left = answers.answerBytes;
    const go = () => {
      while (left > 0) {
        left -= chunk.length;
        if (!response.write(chunk)) return void response.once('drain', go);
      }
      response.end('"}}');
    };
    go();
  });
  return answers;
}
