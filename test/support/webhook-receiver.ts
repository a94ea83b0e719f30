// A receiver of webhooks that does as it is told: takes messages, refuses them, hangs, redirects, answers for ever, or
// changes the protocol.

import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Behaviour =
  | 'takes'
  | 'refuses'
  | 'hangs'
  | 'redirects'
  | 'answers for ever'
  | 'never ends'
  | 'upgrades';

export interface Message {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export class Receiver {
  readonly #server: Server;
  readonly received: Received[] = [];
  behaviour: Behaviour;
  #open = 0;
  /** The most answers that were under way at once. */
  openMax = 0;

  constructor(behaviour: Behaviour = 'takes') {
    this.behaviour = behaviour;
    this.#server = createServer((request, reply) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      request.on('end', () => {
        this.received.push({ headers: request.headers, body });
        this.#open += 1;
        this.openMax = Math.max(this.openMax, this.#open);
        reply.on('close', () => {
          this.#open -= 1;
        });
        this.#answer(reply);
      });
    });
  }

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/hook`;
  }

  stop(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  /** What came, checked by the library of the specification; fails where a signature is wrong. */
  messages(secret: string): readonly Message[] {
    return this.received.map(({ headers, body }) => {
      const checked = new Webhook(secret).verify(body, headers as Record<string, string>) as Omit<
        Message,
        'id'
      >;
      return { ...checked, id: String(headers['webhook-id']) };
    });
  }

  #answer(reply: ServerResponse): void {
    switch (this.behaviour) {
      case 'takes':
        reply.writeHead(204).end();
        return;
      case 'refuses':
        reply.writeHead(500).end('a long story');
        return;
      case 'redirects':
        reply.writeHead(307, { location: '/elsewhere' }).end();
        return;
      case 'answers for ever': {
        reply.writeHead(200);
        const more = (): void => {
          while (!reply.destroyed && reply.write('x'.repeat(16_384)));
        };
        reply.on('drain', more);
        more();
        return;
      }
      case 'never ends':
        reply.writeHead(200).write('x');
        return;
      case 'upgrades':
        reply.socket?.write(
          'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: other\r\n\r\n',
        );
        return;
      case 'hangs':
    }
  }
}
