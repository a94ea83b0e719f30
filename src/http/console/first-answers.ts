// The first figures of a page stand in its HTML, so that it is whole without a second round. They are the answers to the very
// requests that the page would make, made by the same code.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Buckets } from '../../acts/access/throttle.ts';
import type { Context } from '../../context.ts';
import { personIdOf, type Visitor } from '../../domain/access/visitor.ts';
import type { PageName } from '../../domain/console/page-paths.ts';
import { readViewAddress, type ViewAddress } from '../../domain/console/view-address.ts';
import { dayOf } from '../../domain/dates.ts';

export interface PageAsked {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly visitor: Visitor;
  /** Of the path of the page. */
  readonly params: Readonly<Record<string, string>>;
  /** Range, comparison and filters of its address. */
  readonly view: ViewAddress;
}

/** By the path behind /console/api, as the page asks for it. */
export type FirstAnswers = Readonly<Record<string, () => Promise<unknown>>>;

// Opening pages is counted here, because what they ask for themselves is counted by the gate. Whoever opens more gets the page
// without figures, and the page asks for them.
const openings = { rate: 2, burst: 20 };

export class FirstData {
  readonly #context: Context;
  readonly #pages = new Map<PageName, (asked: PageAsked) => FirstAnswers>();
  readonly #openings = new Buckets();

  constructor(context: Context) {
    this.#context = context;
  }

  /** What a page begins with. */
  set(page: PageName, answers: (asked: PageAsked) => FirstAnswers): void {
    this.#pages.set(page, answers);
  }

  /** Whatever cannot be answered now is left for the page to ask for: it says what is the matter. */
  async read(
    page: PageName,
    query: URLSearchParams,
    asked: Omit<PageAsked, 'view'>,
  ): Promise<Readonly<Record<string, unknown>>> {
    const make = this.#pages.get(page);
    const { accountId, personId } = personIdOf(asked.visitor.person);
    if (make === undefined || !this.#isAdmitted(`${accountId}/${personId}`)) return {};
    const view = readViewAddress(query, dayOf(this.#context.now()));
    const answers = await Promise.all(
      Object.entries(make({ ...asked, view })).map(async ([path, read]) => {
        const answer = await read().catch(() => undefined);
        return answer === undefined ? [] : ([[path, answer]] as const);
      }),
    );
    return Object.fromEntries(answers.flat());
  }

  #isAdmitted(person: string): boolean {
    if (!this.#context.config.throttle) return true;
    return this.#openings.take(person, openings, this.#context.elapsedMs()).isAllowed;
  }
}
