// Answers that outlive a reload or a lost page, in the memory of this tab alone. The token is kept with them: a send whose answer
// was lost and that is repeated after a reload is still one response (D-442).

import { questionPrefix } from '../src/domain/pages/form-fields.ts';

interface Kept {
  readonly token: string;
  readonly answers: readonly (readonly [string, string])[];
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

export class KeptAnswers {
  readonly #form: HTMLFormElement;
  readonly #token: HTMLInputElement;
  readonly #tokenOfPage: string;
  readonly #key: string;
  readonly #mayKeep: boolean;

  constructor(form: HTMLFormElement, token: HTMLInputElement, mayKeep: boolean) {
    this.#mayKeep = mayKeep;
    this.#form = form;
    this.#token = token;
    this.#tokenOfPage = token.value;
    // Answers under one invitation, which has dots in it, are not those of another; a page that is open to all has a fresh
    // token each time.
    const owner = token.value.includes('.') ? token.value : '';
    this.#key = `soundings:${form.dataset.survey}:${owner}`;
  }

  save(): void {
    const answers = [...new FormData(this.#form)].filter(([name]) => name.startsWith(questionPrefix));
    this.#withStorage((storage) =>
      storage.setItem(this.#key, JSON.stringify({ token: this.#token.value, answers })),
    );
  }

  /** Whether there was something. */
  restore(): boolean {
    let isRestored = false;
    this.#withStorage((storage) => {
      const text = storage.getItem(this.#key);
      if (text === null) return;
      const { token, answers } = JSON.parse(text) as Kept;
      this.#token.value = token;
      for (const control of this.#form.elements as Iterable<Element> as Iterable<Control>) {
        if (!control.name?.startsWith(questionPrefix)) continue;
        const values = answers.filter(([name]) => name === control.name).map(([, value]) => value);
        if (control instanceof HTMLInputElement && control.type !== 'text')
          control.checked = values.includes(control.value);
        else control.value = values[0] ?? '';
      }
      isRestored = true;
    });
    return isRestored;
  }

  forget(): void {
    this.#withStorage((storage) => storage.removeItem(this.#key));
  }

  /** What is answered from now on is another response. */
  startAgain(): void {
    this.forget();
    this.#token.value = this.#tokenOfPage;
    this.#form.reset();
  }

  /** Some pages may not keep anything, and the memory may be full: then answers are in the page alone. */
  #withStorage(act: (storage: Storage) => void): void {
    if (!this.#mayKeep) return;
    try {
      act(sessionStorage);
    } catch {}
  }
}
