// What the page of a survey gains by a script: sections as steps, faults before anything is sent, answers that outlive a
// reload, and a send that is repeated until it has arrived. Without it the page works all the same: the server renders the
// whole form, judges it and keeps the answers.

import { faultTexts } from '../src/domain/pages/fault-texts.ts';
import { answersOfForm, faultsOfAnswers } from '../src/domain/pages/form-answers.ts';
import { tokenField, workField } from '../src/domain/pages/form-fields.ts';
import { prepareScriptSurvey, type ScriptData } from '../src/domain/pages/script-data.ts';
import { button, element } from './element.ts';
import { fieldsOf } from './form-values.ts';
import { startFrame, tellHost } from './frame.ts';
import { KeptAnswers } from './kept-answers.ts';
import { Sending } from './sending.ts';
import { ShownFaults } from './shown-faults.ts';
import { Steps } from './steps.ts';
import { countCharacters } from './text-limits.ts';
import { embeddedMark } from './unclobbered.ts';

interface SurveyOptions {
  /** The form, which the server has rendered. */
  readonly form: HTMLFormElement;
  /** In a page of somebody else: called with the address of the thank-you page, instead of going there. */
  readonly onSent?: (thanks: string) => void;
  /** In a preview: called in place of sending, and gives true. */
  readonly onSend?: () => true;
  /** Whether answers may be kept in the browser until they are sent; they may, where nothing is said. */
  readonly mayKeep?: boolean;
}

interface StartedSurvey {
  /** The element of each question. */
  readonly boxOf: ReadonlyMap<string, HTMLElement>;
  readonly steps: Steps;
}

/** Takes care of one form, in a page of its own or in a shadow root of somebody else's. */
export function startSurvey(
  root: Document | ShadowRoot,
  { form, onSent, onSend, mayKeep = true }: SurveyOptions,
): StartedSurvey | undefined {
  const data = JSON.parse(
    root.getElementById('soundings-survey')?.textContent ?? 'null',
  ) as ScriptData | null;
  if (data === null) return;
  const { messages, language } = data;
  const survey = prepareScriptSurvey(data);
  const judge = () => {
    const { answers, isAsked } = answersOfForm(survey, fieldsOf(form));
    return { isAsked, faults: faultsOfAnswers(survey, answers) };
  };
  // Before anything is changed: a browser that lacks what judging needs has the page without a script.
  judge();

  const isOwnPage = onSent === undefined;
  const token = form.elements.namedItem(tokenField) as HTMLInputElement;
  const kept = new KeptAnswers(form, token, mayKeep);
  const boxOf = new Map(
    [...form.querySelectorAll<HTMLElement>('.question')].map((box) => [box.dataset.question!, box]),
  );
  const send = form.querySelector<HTMLButtonElement>('.send')!;
  const status = element('div', { className: 'status', role: 'status' });
  send.parentElement!.after(status);

  const faults = new ShownFaults(form, boxOf, data, isOwnPage ? document.title : null, (box) =>
    steps.showStepOf(box),
  );
  const steps = new Steps(form, send, data, isOwnPage);
  form.dataset.started = '';
  const sending = new Sending({
    form,
    data,
    status,
    send,
    fields: () => Object.fromEntries(fieldsOf(form)),
    onThanks(thanks) {
      kept.forget();
      if (onSent !== undefined) return onSent(thanks);
      tellHost({ soundings: 'answered' });
      location.assign(thanks);
    },
    onFaults: (texts) => faults.show(texts),
    onToken(fresh) {
      token.value = fresh;
      kept.save();
    },
    onWork(answer) {
      let field = form.elements.namedItem(workField) as HTMLInputElement | null;
      if (field === null) {
        field = element('input', { type: 'hidden', name: workField });
        form.append(field);
      }
      field.value = answer;
    },
  });

  const limits = countCharacters(survey, boxOf, data);
  const clearButtons = addClearButtons(boxOf.values(), messages.clearAnswer);
  const isRestored = kept.restore();
  form.noValidate = true;
  look();
  steps.start(isRestored);
  if (isRestored) {
    const note = element('div', { className: 'status' }, element('p', {}, messages.restored));
    note.append(
      button(messages.startAgain, () => {
        kept.startAgain();
        note.remove();
        faults.show(new Map());
        look();
        steps.show(0, true);
      }),
    );
    form.prepend(note);
  }

  form.addEventListener('input', () => {
    look();
    kept.save();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const texts = faultTexts(survey, judge().faults, messages, language);
    // A step answers for its own questions; the last one for all.
    const counting = steps.isLast
      ? texts
      : new Map([...texts].filter(([id]) => steps.isOnStep(boxOf.get(id)!)));
    faults.show(counting);
    if (counting.size > 0) return;
    if (!steps.isLast) {
      sending.say('');
      steps.next();
    } else if (steps.showUnseen()) sending.say(messages.moreQuestions);
    else if (!onSend?.()) void sending.start();
  });
  // The second click of two on "Next" means nothing on the step that came up under it.
  let stepOfClick = 0;
  form.addEventListener(
    'click',
    (event) => {
      if (event.detail <= 1) stepOfClick = steps.at;
      else if (stepOfClick !== steps.at) {
        event.preventDefault();
        event.stopPropagation();
      }
    },
    true,
  );

  return { boxOf, steps };

  /** Everything on the page that follows from the answers. */
  function look(): void {
    const { isAsked, faults: found } = judge();
    for (const { id, index } of survey.conditional) {
      const box = boxOf.get(id)!;
      box.hidden = !isAsked[index];
      // Those that CSS cannot show are switched off until the server or this script shows them.
      if (isAsked[index])
        for (const one of [box, ...box.querySelectorAll(':disabled')]) one.removeAttribute('disabled');
    }
    faults.keepOnly(faultTexts(survey, found, messages, language));
    for (const look of [...limits, ...clearButtons]) look();
    steps.look();
  }
}

/** One of several answers cannot be taken back without help, once it was chosen. */
function addClearButtons(boxes: Iterable<HTMLElement>, text: string): readonly (() => void)[] {
  return [...boxes]
    .filter((box) => box.role === 'radiogroup' && box.ariaRequired !== 'true')
    .map((box) => {
      const chosen = () => box.querySelector<HTMLInputElement>(':checked');
      const clear = button(
        text,
        () => {
          const radio = chosen()!;
          radio.focus();
          radio.checked = false;
          radio.dispatchEvent(new Event('input', { bubbles: true }));
        },
        'clear',
      );
      box.append(clear);
      return () => {
        clear.hidden = chosen() === null;
      };
    });
}

const form = import.meta.url.endsWith(embeddedMark)
  ? null
  : document.querySelector<HTMLFormElement>('form[data-survey]');
if (form !== null) {
  startFrame(form);
  startSurvey(document, { form });
}
