// `/embed.js`: a survey on somebody else's page, by one script element. Everything that it shows stands in a shadow root, so
// that neither page changes the looks of the other. It builds its elements one by one and lets a request parse the HTML of the
// survey, so that there is nothing that Trusted Types would refuse (D-457).

import type { EmbedSettings } from '../src/domain/pages/embed-settings.ts';
import { parameterPrefix, urlField } from '../src/domain/pages/form-fields.ts';
import {
  type Gate,
  gate,
  type InviteMemory,
  judgeInvite,
  readMemory,
  withDraw,
  withEnd,
} from '../src/domain/pages/invite-rules.ts';
import { element } from './element.ts';
import type { showContent } from './embed-content.ts';
import { showFrame } from './embed-frame.ts';
import { ownButton, shadowIn, showCorner, showDialog } from './embed-surface.ts';
import { ofWindow, page } from './unclobbered.ts';

type EventKind = 'shown' | 'answered' | 'declined' | 'closed';
interface Detail {
  readonly survey: string;
}
type Call = readonly [method: string, ...given: unknown[]];

interface Survey {
  /** The id of a survey or the site key of a project. */
  readonly name: string;
  readonly mode: string;
  readonly isFramed: boolean;
  readonly needsConsent: boolean;
  readonly target: string | undefined;
  readonly lang: string;
  loading?: Promise<void>;
  settings?: EmbedSettings;
  fault: string;
  timer?: number;
  isShown: boolean;
  /** The visitor did not ask for it: when it was answered or declined is remembered. */
  isOffered?: boolean;
  isAnswered?: boolean;
  /** Takes away what is shown of it. */
  end(): void;
}

interface Soundings {
  open(name?: string): void;
  close(): void;
  set(values: Readonly<Record<string, string | number | boolean>>): void;
  consent(isGiven: boolean): void;
  explain(): readonly {
    readonly survey: string;
    readonly mode: string;
    readonly isShown: boolean;
    readonly gates: readonly Gate[];
  }[];
  on(kind: EventKind, handle: (detail: Detail) => void): void;
  /** Calls that were made before this script was there, and later ones in the same way. */
  push(...calls: readonly Call[]): void;
  /** Of a further script element with the same address. */
  add(script: HTMLScriptElement): void;
}

const here = page.currentScript;
const found = ofWindow('Soundings') as (Partial<Soundings> & readonly Call[]) | undefined;
// Anything else did not load this code, and nobody knows where to ask for the rest of it.
if (here instanceof HTMLScriptElement) {
  if (found?.add) found.add(here);
  else start(here, Array.isArray(found) ? found : []);
}

function eventName(kind: EventKind): string {
  return `soundings:${kind}`;
}

function start(here: HTMLScriptElement, waiting: readonly Call[]): void {
  // The address that this code was loaded from. `src` is another one where a `<base>` came into the page since then.
  const base = new URL('.', (/http.*(?=:\d+:\d+)/.exec(new Error().stack!) ?? [here.src])[0]);
  const storageKey = 'soundings';
  const surveys: Survey[] = [];
  const values: Record<string, string> = {};
  let hasConsent = false;
  let hasOffered = false;

  const soundings: Soundings = {
    open(name = surveys[0]?.name) {
      if (name)
        void openSurvey(surveys.find((one) => one.name === name) ?? addSurvey(name, { mode: 'open' }));
    },
    close() {
      for (const survey of surveys) survey.end();
    },
    set(given) {
      for (const [name, value] of Object.entries(given)) values[parameterPrefix + name] = `${value}`;
    },
    consent(isGiven) {
      hasConsent = isGiven;
      if (isGiven) surveys.forEach(decide);
      else write(null);
    },
    explain: () =>
      surveys.map((survey) => {
        const { name, mode, isShown } = survey;
        return { survey: name, mode, isShown, gates: gatesOf(survey) };
      }),
    on(kind, handle) {
      page.addEventListener(eventName(kind), (event) => handle((event as CustomEvent<Detail>).detail));
    },
    push(...calls) {
      for (const [method, ...given] of calls)
        (soundings[method as 'on'] as (...given: unknown[]) => void)(...given);
    },
    add: ({ dataset }) => void (dataset.survey && addSurvey(dataset.survey, dataset)),
  };
  (window as { Soundings?: Soundings }).Soundings = soundings;
  soundings.add(here);
  soundings.push(...waiting);
  // Pages that change their address without being loaded anew.
  (ofWindow('navigation') as EventTarget | undefined)?.addEventListener('navigatesuccess', () =>
    surveys.forEach(decide),
  );

  // ---- which surveys there are, and whether one is offered

  function addSurvey(name: string, { mode = '', target, lang, consent }: DOMStringMap): Survey {
    const words = mode.split(' ');
    const survey: Survey = {
      name,
      mode: words.find((word) => word && word !== 'frame') ?? (target ? 'inline' : 'popover'),
      isFramed: words.includes('frame'),
      needsConsent: consent === 'required',
      target,
      lang: lang ?? page.documentElement.lang,
      fault: 'being loaded',
      isShown: false,
      end() {},
    };
    surveys.push(survey);
    // A module and no request for data: a policy that lets this script in lets it in too.
    survey.loading = import(addressOf(survey, '/embed.js')).then(
      ({ default: settings }: { default: EmbedSettings }) => {
        survey.settings = settings;
        survey.fault = settings.isOpen ? '' : 'takes no responses now';
        if (survey.mode === 'badge') showBadge(settings, survey);
        else if (survey.mode === 'inline') showInline(settings, survey);
        else decide(survey);
      },
      () => {
        survey.fault = 'unknown, private, not for this origin, or refused by a policy';
      },
    );
    return survey;
  }

  function addressOf({ name, lang }: Survey, rest: string): string {
    const query = lang ? `?lang=${encodeURIComponent(lang)}` : '';
    return new URL(`s/${encodeURIComponent(name)}${rest}${query}`, base).href;
  }

  function gatesOf(survey: Survey): readonly Gate[] {
    const { settings, mode, name, needsConsent, fault } = survey;
    const first = gate('survey', fault === '', fault || 'takes responses');
    // Whatever the visitor asked for, and what stands in the text of the page, has no further rules.
    if (mode !== 'popover') return [first];
    return [
      first,
      gate('consent', hasConsent || !needsConsent, 'given if required'),
      gate('once', !hasOffered, 'one offer a page'),
      ...judgeInvite({
        survey: name,
        invite: settings?.invite ?? {},
        memory: read(survey),
        path: location.pathname,
        nowMs: Date.now(),
        secondsOnPage: performance.now() / 1000,
      }),
    ];
  }

  function decide(survey: Survey): void {
    const { name, settings, mode } = survey;
    if (!settings || mode !== 'popover') return;
    const memory = read(survey);
    if (memory) write(withDraw(memory, name, settings.invite, Date.now(), Math.random()));
    clearTimeout(survey.timer);
    const closed = gatesOf(survey).filter(({ isOpen }) => !isOpen);
    if (closed.length === 0) offer(settings, survey);
    else if (closed.every((one) => one.gate === 'after'))
      survey.timer = setTimeout(decide, (settings.invite.after ?? 0) * 1000 - performance.now() + 1, survey);
  }

  /** Null where nothing may be kept here, or nothing can. */
  function read({ needsConsent }: Survey): InviteMemory | null {
    if (needsConsent && !hasConsent) return null;
    try {
      // Asked to keep something: some browsers let one look and keep nothing.
      const text = localStorage.getItem(storageKey);
      localStorage.setItem(storageKey, text ?? '{}');
      return readMemory(text, Date.now());
    } catch {
      return null;
    }
  }

  function write(memory: InviteMemory | null): void {
    try {
      if (memory) localStorage.setItem(storageKey, JSON.stringify(memory));
      else localStorage.removeItem(storageKey);
    } catch {}
  }

  function tell(survey: Survey, kind: EventKind): void {
    const { name, isOffered } = survey;
    if (kind === 'answered') survey.isAnswered = true;
    if (isOffered && (kind === 'answered' || kind === 'declined')) {
      const memory = read(survey);
      if (memory) write(withEnd(memory, name, Date.now()));
    }
    page.dispatchEvent(new CustomEvent(eventName(kind), { detail: { survey: name } }));
  }

  // ---- what is shown

  function showBadge(settings: EmbedSettings, survey: Survey): void {
    showCorner(
      settings,
      'badge',
      ownButton(settings.texts.feedback, () => void openSurvey(survey)),
    );
  }

  function showInline(settings: EmbedSettings, survey: Survey): void {
    const place = page.querySelector(survey.target ?? '_');
    if (!place) {
      survey.fault = `has no place: nothing is ${survey.target}`;
      return;
    }
    const root = shadowIn(place, settings);
    const content = element('div', { className: 'surface' });
    root.append(content);
    show(settings, survey, root, content);
  }

  function offer(settings: EmbedSettings, survey: Survey): void {
    hasOffered = true;
    survey.isOffered = true;
    const { texts, title } = settings;
    const decline = (): void => {
      survey.end();
      tell(survey, 'declined');
    };
    const { box, remove } = showCorner(
      settings,
      'card',
      element('strong', { className: 'line' }, title),
      element('span', { className: 'line' }, texts.invitation),
      ownButton(texts.openSurvey, () => void openSurvey(survey)),
      ownButton(texts.decline, decline, 'plain'),
    );
    box.role = 'dialog';
    box.ariaLabel = title;
    box.onkeydown = ({ key }) => {
      if (key === 'Escape') decline();
    };
    setEnd(survey, remove);
    tell(survey, 'shown');
  }

  async function openSurvey(survey: Survey): Promise<void> {
    await survey.loading;
    const { settings } = survey;
    if (!settings) return;
    survey.end();
    const content = element('div', {});
    const { root, close } = showDialog(settings, content, () => {
      survey.end();
      if (survey.isOffered && !survey.isAnswered) tell(survey, 'declined');
      survey.isOffered = false;
      survey.isAnswered = false;
      tell(survey, 'closed');
    });
    setEnd(survey, close);
    show(settings, survey, root, content);
  }

  function setEnd(survey: Survey, remove: () => void): void {
    survey.isShown = true;
    survey.end = () => {
      survey.isShown = false;
      survey.end = () => {};
      remove();
    };
  }

  function show(settings: EmbedSettings, survey: Survey, root: ShadowRoot, place: HTMLElement): void {
    survey.isShown = true;
    if (!survey.isOffered) tell(survey, 'shown');
    const content = {
      root,
      place,
      address: addressOf(survey, ''),
      title: settings.title,
      openInNewTab: settings.texts.openInNewTab,
      fields: { ...values, [urlField]: location.origin + location.pathname },
      // Whatever the visitor opens by the badge leaves nothing behind.
      mayKeep: survey.mode === 'popover' && read(survey) !== null,
      onAnswered: () => tell(survey, 'answered'),
      onClose: () => survey.end(),
    };
    const inFrame = (): void => showFrame(content);
    if (survey.isFramed) inFrame();
    else
      import(new URL(settings.content, base).href)
        .then((module: { showContent: typeof showContent }) => module.showContent(content))
        // The policy of the page may forbid requests to us and still let us be framed.
        .catch(inFrame);
  }
}
