// What the page of a survey gains by a script. Without it the page works all the same: the server renders the whole form,
// judges it and keeps the answers.

export interface SurveyOptions {
  /** The form, which the server has rendered. */
  readonly form: HTMLFormElement;
}

/** Takes care of one form, in a page of its own or in a shadow root of somebody else's. */
export function startSurvey(_root: Document | ShadowRoot, { form }: SurveyOptions): void {
  // A second click sends nothing more; a form that comes back from the cache of the browser can be sent again.
  let isSent = false;
  form.addEventListener('submit', (event) => {
    if (isSent) event.preventDefault();
    isSent = true;
  });
  addEventListener('pageshow', () => {
    isSent = false;
  });
}

const form = document.querySelector<HTMLFormElement>('form[data-survey]');
if (form !== null) startSurvey(document, { form });
