import { Agent, request } from 'node:http';

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Posts a request to `/v1/decide`, and resolves to the parsed response. */
export function ask(port: number, sent: unknown): Promise<unknown> {
  const body = JSON.stringify(sent);
  const headers = {
    'content-type': 'application/json',
    authorization: 'Bearer bench',
    'content-length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const asked = request({ agent, port, path: '/v1/decide', method: 'POST', headers }, (response) => {
      const pieces: Buffer[] = [];
      response.on('data', (piece: Buffer) => pieces.push(piece));
      response.on('end', () => resolve(JSON.parse(Buffer.concat(pieces).toString())));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}
