// A page to print: the title of the survey, a sentence, the QR code and the address, in a language of the survey.

import type { JSX } from 'preact';
import { changeQuery } from '../../frame/address.ts';
import { Heading } from '../../frame/heading.tsx';
import { QrCode, type SharedSurvey, type SourcePlace, toShare } from './parts.tsx';
import { directionOf, posterWords } from './poster-words.ts';
import { languageName, surveyTexts } from './texts.ts';

export function Poster({
  survey,
  place,
  language,
}: {
  readonly survey: SharedSurvey;
  readonly place: SourcePlace;
  readonly language: string;
}): JSX.Element {
  const { t } = surveyTexts;
  const chosen = survey.titles.find((one) => one.language === language) ?? survey.titles[0]!;
  const { call, or } = posterWords(chosen.language);
  return (
    <>
      <div class="row between unprinted">
        <Heading title={t.poster} over={<a href={toShare(place)}>{t.back}</a>}>
          <p class="lead">{t.posterLead}</p>
        </Heading>
        <div class="row">
          {survey.titles.length > 1 && (
            <select
              aria-label={t.language}
              value={chosen.language}
              onChange={({ currentTarget }) =>
                changeQuery({ poster: currentTarget.value }, { isReplacing: true })
              }
            >
              {survey.titles.map(({ language: tag }) => (
                <option value={tag}>{languageName(tag)}</option>
              ))}
            </select>
          )}
          <button type="button" class="primary" onClick={() => print()}>
            {t.print}
          </button>
        </div>
      </div>
      <section
        class="poster"
        lang={chosen.language}
        dir={directionOf(chosen.language)}
        aria-label={chosen.title}
      >
        <h2>{chosen.title}</h2>
        <p>{call}</p>
        {survey.qr !== null && <QrCode qr={survey.qr} label={t.qrAlt} />}
        <p class="address">
          {or}
          <br />
          <bdi>{survey.page.link?.replace(/^https?:\/\//, '')}</bdi>
        </p>
      </section>
    </>
  );
}
