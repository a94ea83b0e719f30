// The pages of surveys as they are sent. What is the same for everybody is made once for each version and language, and kept in
// memory within a bound; what somebody answered is rendered for her alone.

import type { SurveyLanguage } from '../../domain/feedback/definition.ts';
import type { PreparedSurvey } from '../../domain/feedback/survey.ts';
import type { Interruptible } from '../../domain/interruptible.ts';
import type { PageAssets } from '../../domain/pages/document-html.ts';
import type { FormInput } from '../../domain/pages/form-html.ts';
import { scriptJson } from '../../domain/pages/html.ts';
import { messagesOf } from '../../domain/pages/messages/messages.ts';
import { type NoticeKind, noticeHtml, thanksHtml } from '../../domain/pages/notice-html.ts';
import { pageInPieces } from '../../domain/pages/page-html.ts';
import { scriptData } from '../../domain/pages/script-data.ts';
import { surveyCss } from '../../domain/pages/survey-css.ts';
import { surveyTexts } from '../../domain/pages/survey-texts.ts';
import { type VisibilityRules, visibilityRules } from '../../domain/pages/visibility-css.ts';
import { Cache } from '../../store/engine/work/cache.ts';
import type { WorkQueue } from '../../store/engine/work/work-budget.ts';
import type { PageSurvey } from '../../store/feedback/sources.ts';
import { assetPath, type PageFiles } from './page-files.ts';
import { pagePolicy } from './page-policy.ts';
import { holeMarks, SplicedPage } from './spliced-page.ts';
import { frameAncestors } from './survey-origins.ts';

// Some thousand pages of 25 questions. One that is larger by itself is made anew for everybody who asks for it.
const keptBytesMax = 48 * 1024 * 1024;

/** A page for one reader. */
export interface MadePage {
  readonly html: string;
  readonly policy: string;
}

/** A page for everybody: token and what links carry along are put in when it is sent. */
interface KeptPage {
  readonly spliced: SplicedPage;
  readonly policy: string;
}

/** What belongs to one sending. */
type OwnParts = Partial<Pick<FormInput, 'asked' | 'given' | 'faults' | 'notices' | 'work'>>;

interface PageParts extends OwnParts {
  readonly language: SurveyLanguage;
  readonly isTest: boolean;
  readonly token: string;
  readonly linkSuffix: string;
}

export class SurveyPages {
  readonly #files: PageFiles;
  readonly #kept = new Cache<string, KeptPage>({
    bytesMax: keptBytesMax,
    bytesOf: ({ spliced, policy }) => spliced.bytes + 2 * policy.length,
  });
  readonly #visibility = new WeakMap<PreparedSurvey, VisibilityRules>();
  /** Those that are being made: whoever asks meanwhile waits for the same. */
  readonly #making = new Map<string, Promise<KeptPage>>();
  readonly #workQueue: WorkQueue;
  #assets: PageAssets | null = null;
  #work: string | null = null;

  constructor(files: PageFiles, workQueue: WorkQueue) {
    this.#files = files;
    this.#workQueue = workQueue;
  }

  /** The names of the files that pages load. Asked for first: everything else here is without waiting. */
  async look(): Promise<void> {
    const remembered = this.#files.remembered();
    const manifest = remembered === undefined ? await this.#files.manifest() : remembered;
    const entries: Readonly<Record<string, string>> | undefined = manifest?.entries;
    this.#assets =
      entries === undefined ? null : { style: assetPath(entries.style!), script: assetPath(entries.survey!) };
    this.#work = entries?.work === undefined ? null : assetPath(entries.work);
  }

  visibility(prepared: PreparedSurvey): VisibilityRules {
    let rules = this.#visibility.get(prepared);
    if (rules === undefined) {
      rules = visibilityRules(prepared);
      this.#visibility.set(prepared, rules);
    }
    return rules;
  }

  /** The page as anybody sees it first. */
  kept(found: PageSurvey, language: SurveyLanguage, isTest: boolean): KeptPage | Promise<KeptPage> {
    const { accountId, sourceId, revision } = found.ready.source;
    const names = `${this.#assets?.style} ${this.#assets?.script} ${this.#work}`;
    const key = `${accountId} ${sourceId} ${revision} ${found.survey.number} ${language} ${isTest} ${names}`;
    const known = this.#kept.get(key) ?? this.#making.get(key);
    if (known !== undefined) return known;
    const making = this.#newKept(found, language, isTest)
      .then((page) => {
        this.#kept.set(key, page);
        return page;
      })
      .finally(() => this.#making.delete(key));
    this.#making.set(key, making);
    return making;
  }

  async #newKept(found: PageSurvey, language: SurveyLanguage, isTest: boolean): Promise<KeptPage> {
    const [token, linkSuffix] = holeMarks(2) as [string, string];
    const { html, policy } = await this.made(found, { language, isTest, token, linkSuffix });
    return { spliced: await SplicedPage.of(html, [token, linkSuffix]), policy };
  }

  /** A page of many questions is made in slices, between which others are served (D-923). */
  made(found: PageSurvey, parts: PageParts): Promise<MadePage> {
    return this.#workQueue.run(this.#made(found, parts));
  }

  *#made({ ready, survey }: PageSurvey, parts: PageParts): Interruptible<MadePage> {
    const { language, linkSuffix, isTest } = parts;
    const prepared = ready.prepared(survey);
    const { definition } = survey;
    const { shownAfterSend } = this.visibility(prepared);
    yield;
    const messages = messagesOf(language);
    const css = this.#css(prepared);
    yield;
    const texts = surveyTexts(definition, language, nameOf({ ready, survey }));
    yield;
    const data = scriptJson(scriptData(definition, messages, language, this.#work));
    yield;
    const html = yield* pageInPieces({
      ...parts,
      prepared,
      texts,
      messages,
      action: pathOfSurvey(definition.id),
      shownAfterSend,
      assets: this.#assets,
      css,
      data,
      linkSuffix: isTest ? `&amp;test=1${linkSuffix}` : linkSuffix,
    });
    return { html, policy: pagePolicy(css, frameAncestors(definition)) };
  }

  thanks(found: PageSurvey, language: SurveyLanguage, isTest: boolean): MadePage {
    const { definition } = found.survey;
    const css = this.#css(found.ready.prepared(found.survey));
    const html = thanksHtml({
      language,
      assets: this.#assets,
      css,
      thanks: surveyTexts(definition, language, '').thanks,
      url: definition.page?.thanks?.url,
      isTest,
    });
    return { html, policy: pagePolicy(css, frameAncestors(definition)) };
  }

  /** Of a survey, in its colours. */
  noticeOf(found: PageSurvey, kind: NoticeKind, language: SurveyLanguage): MadePage {
    const css = this.#css(found.ready.prepared(found.survey));
    const html = noticeHtml(kind, { language, assets: this.#assets, css });
    return { html, policy: pagePolicy(css, frameAncestors(found.survey.definition)) };
  }

  /** Of no survey at all. */
  notice(kind: NoticeKind, language: SurveyLanguage): MadePage {
    const html = noticeHtml(kind, { language, assets: this.#assets });
    return { html, policy: pagePolicy('', "frame-ancestors 'none'") };
  }

  /** The rules of this survey alone. */
  #css(prepared: PreparedSurvey): string {
    return surveyCss(prepared.definition.page, this.visibility(prepared));
  }
}

export function pathOfSurvey(surveyId: string): string {
  return `/s/${encodeURIComponent(surveyId)}`;
}

function nameOf({ ready: { source } }: PageSurvey): string {
  return source.kind === 'measure' ? source.measure.name : source.project.name;
}
