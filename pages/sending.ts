// Sends the answers until they have arrived. One token is one response however often it is sent, so a try whose answer was lost
// is simply repeated (D-443).

import { fill } from '../src/domain/pages/messages/messages.ts';
import type { ScriptData } from '../src/domain/pages/script-data.ts';
import { button, element } from './element.ts';
import { trustedScript } from './trusted.ts';
import { addEventListener } from './unclobbered.ts';

const tryTimeoutMs = 20_000;
const pauseMaxMs = 60_000;

interface SendingParts {
  readonly form: HTMLFormElement;
  readonly data: ScriptData;
  readonly status: HTMLElement;
  readonly send: HTMLButtonElement;
  readonly fields: () => Readonly<Record<string, readonly string[]>>;
  readonly onThanks: (address: string) => void;
  /** By the id of the question. */
  readonly onFaults: (texts: ReadonlyMap<string, string>) => void;
  readonly onToken: (token: string) => void;
  readonly onWork: (answer: string) => void;
}

/** Work that is asked for while very many answers arrive. */
interface Challenge {
  readonly text: string;
  readonly waitSeconds: number;
}

/** What the server says; one of these. */
interface Answer {
  readonly thanks?: string;
  readonly faults?: readonly { readonly question: string; readonly message: string }[];
  readonly token?: string;
  readonly work?: Challenge;
  readonly wait?: number;
}

export class Sending {
  readonly #parts: SendingParts;
  #isUnderWay = false;
  /** Ends the pause before the next try. */
  #wake: () => void = () => {};

  constructor(parts: SendingParts) {
    this.#parts = parts;
    addEventListener('online', () => this.#wake());
    // A page that comes back from the memory of the browser may be sent again: it is the same response.
    addEventListener('pageshow', (event) => {
      if ((event as PageTransitionEvent).persisted) this.#end();
    });
  }

  async start(): Promise<void> {
    this.#wake();
    if (this.#isUnderWay) return;
    this.#isUnderWay = true;
    this.#parts.send.ariaDisabled = 'true';
    try {
      for (let failures = 0; this.#isUnderWay; ) if (!(await this.#try())) await this.#pauseAfter(++failures);
    } catch {
      // What the script cannot make sense of, the server says on a page of its own.
      this.#end();
      this.#parts.form.submit();
    }
  }

  /** Whether there was an answer. */
  async #try(): Promise<boolean> {
    const { form, data, onThanks, onFaults, onToken } = this.#parts;
    const { messages } = data;
    this.say(messages.sending);
    let reply: Response;
    try {
      reply = await fetch(form.action, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ fields: this.#parts.fields() }),
        signal: AbortSignal.timeout(tryTimeoutMs),
      });
    } catch {
      return false;
    }
    const answer = (await reply.json().catch(() => ({}))) as Answer;
    if (answer.wait !== undefined) await this.#countDown(answer.wait);
    else if (answer.work !== undefined) await this.#work(answer.work);
    else if (reply.status >= 500 || reply.status === 429) return false;
    else {
      this.#end();
      if (answer.thanks !== undefined) onThanks(answer.thanks);
      else if (answer.token !== undefined) {
        onToken(answer.token);
        this.say(messages.expired);
      } else if (answer.faults !== undefined && answer.faults.length > 0)
        onFaults(new Map(answer.faults.map(({ question, message }) => [question, message])));
      else throw new Error();
    }
    return true;
  }

  /** Longer after each failure, and never at the same moment as everybody else. */
  async #pauseAfter(failures: number): Promise<void> {
    const { messages } = this.#parts.data;
    this.say(navigator.onLine ? messages.sendFailed : messages.offline);
    this.#parts.status.append(button(messages.retry, () => this.#wake()));
    await this.#pause(Math.min(pauseMaxMs, 1000 * 2 ** (failures - 1)) * (0.75 + Math.random() / 2));
  }

  async #work(challenge: Challenge): Promise<void> {
    this.say(this.#parts.data.messages.working);
    const answer = await answerOf(challenge, this.#parts.data.work);
    // A browser that cannot work waits, as one without scripts does.
    if (answer === null) await this.#countDown(challenge.waitSeconds);
    this.#parts.onWork(answer ?? challenge.text);
  }

  async #countDown(seconds: number): Promise<void> {
    const { data, status } = this.#parts;
    for (let left = Math.ceil(seconds); left > 0 && this.#isUnderWay; left -= 1) {
      this.say(fill(data.messages.waitAndSend, { seconds: left }, data.language));
      // Heard once, seen every second.
      status.ariaLive = 'off';
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** What goes on, for eyes and ears. */
  say(text: string): void {
    const { status } = this.#parts;
    status.ariaLive = 'polite';
    status.replaceChildren(...(text === '' ? [] : [element('p', {}, text)]));
  }

  #end(): void {
    this.#isUnderWay = false;
    this.#parts.send.ariaDisabled = null;
    this.say('');
  }
}

/** Null where the browser, or the page around, does not let a worker start. */
function answerOf(challenge: Challenge, address: string | null): Promise<string | null> {
  return new Promise<string | null>((resolve) => {
    if (address === null) return resolve(null);
    const worker = new Worker(trustedScript(new URL(address, import.meta.url).href));
    const end = (answer: string | null): void => {
      worker.terminate();
      resolve(answer);
    };
    worker.onmessage = ({ data }) => end(data as string | null);
    worker.onerror = () => end(null);
    worker.postMessage(challenge);
  }).catch(() => null);
}
