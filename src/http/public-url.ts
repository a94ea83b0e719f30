// The address that stands in links: the configured one, else where we listen. Never the Host header, which anyone
// can set.

export class PublicUrl {
  #base: string;

  constructor(configured: string) {
    this.#base = configured;
  }

  get base(): string {
    return this.#base;
  }

  /** Called once the port is known; a configured address stays. */
  listeningOn(host: string, port: number): void {
    if (this.#base !== '') return;
    const isAny = host === '0.0.0.0' || host === '::';
    const name = isAny ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host;
    this.#base = `http://${name}:${port}`;
  }

  to(path: string): string {
    return this.#base + path;
  }
}
