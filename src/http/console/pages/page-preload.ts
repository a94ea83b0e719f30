// The first answers of a page stand in its HTML, so that it is whole without a second round. They are asked for here with the cookie of
// whoever opens the page, and go through the gate like those of a browser, so that a page holds nothing that its reader could not ask
// for (D-641). Figures that are added up already are answered by the code of their routes.

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Buckets } from '../../../acts/access/throttle.ts';
import { personIdOf, type Visitor } from '../../../domain/access/visitor.ts';
import type { FoundPage } from '../../../domain/console/page-paths.ts';
import { pagePreloads } from '../../../domain/console/page-preload/pages.ts';
import type { PreloadRequest } from '../../../domain/console/page-preload/place.ts';
import { requestPath } from '../../../domain/console/request-path.ts';
import { readViewAddress } from '../../../domain/console/view-address.ts';
import { dayOf } from '../../../domain/dates.ts';
import type { ConsoleServices } from '../console-services.ts';
import { figuresAnswerer, isOfFigures } from './preloaded-figures.ts';

// Opening pages is counted here, because what they ask for themselves is counted by the gate. Whoever opens more gets the page
// without figures, and the page asks for them.
const openings = { rate: 2, burst: 20 };
/** A page waits so long for an answer; then it comes without. */
const timeMs = 1_000;
/** A page is not made longer than this by one of them. */
const bytesMax = 256 * 1024;

interface Opening {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly visitor: Visitor;
  readonly page: FoundPage;
  /** Of the address of the page. */
  readonly query: URLSearchParams;
}

export class PagePreloader {
  readonly #app: FastifyInstance;
  readonly #services: ConsoleServices;
  readonly #openings = new Buckets();

  constructor(app: FastifyInstance, services: ConsoleServices) {
    this.#app = app;
    this.#services = services;
  }

  /** By the path behind /console/api. Whatever cannot be answered now is left for the page to ask for: it says what is the matter. */
  async answers(opening: Opening): Promise<Readonly<Record<string, unknown>>> {
    const { visitor, page, query } = opening;
    const preload = pagePreloads[page.name];
    const { accountId, personId } = personIdOf(visitor.person);
    if (preload === undefined || !this.#isAdmitted(`${accountId}/${personId}`)) return {};
    const view = readViewAddress(query, dayOf(this.#services.context.now()));
    const answer = isOfFigures(page.name)
      ? figuresAnswerer(this.#services, visitor, timeMs)
      : (request: PreloadRequest) => within(timeMs, this.#ask(opening, request));
    const answers = await Promise.all(
      Object.values(preload({ params: page.params, query, view })).map(async (request) => {
        const [key, input] = request;
        const answered = input === null ? undefined : await answer(request).catch(() => undefined);
        return answered === undefined ? [] : ([[requestPath(key, input ?? {}), answered]] as const);
      }),
    );
    return Object.fromEntries(answers.flat());
  }

  async #ask({ request, reply }: Opening, [key, input]: PreloadRequest): Promise<unknown> {
    const { cookie, host, 'x-forwarded-for': forwardedFor } = request.headers;
    const answer = await this.#app.inject({
      method: 'GET',
      url: `/console/api${requestPath(key, input ?? {})}`,
      remoteAddress: request.raw.socket.remoteAddress ?? '',
      headers: {
        accept: 'application/json',
        ...(cookie !== undefined && { cookie }),
        ...(host !== undefined && { host }),
        ...(forwardedFor !== undefined && { 'x-forwarded-for': forwardedFor }),
      },
    });
    // Whoever has gained roles meanwhile gets a session under a new secret, and the page must bring it.
    const renewed = answer.headers['set-cookie'];
    if (renewed !== undefined) reply.header('set-cookie', renewed);
    const isUsed = answer.statusCode === 200 && answer.rawPayload.length <= bytesMax;
    return isUsed ? (JSON.parse(answer.payload) as unknown) : undefined;
  }

  #isAdmitted(person: string): boolean {
    const { context } = this.#services;
    if (!context.config.throttle) return true;
    return this.#openings.take(person, openings, context.elapsedMs()).isAllowed;
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
