import { createServer, type Server } from 'node:http';

/** An API whose answers are as large as is said, sent as fast as they are read. */
export interface LargeAnswers {
  server: Server;
  /** Of each answer from now on, about. */
  answerBytes: number;
  /** How often it was asked. */
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
