// When a question is asked, as sentences: "ask only if Q1 is No". One rule that holds is enough.

import type { JSX } from 'preact';
import { type RuleOperator, ruleOperators } from '../../../src/domain/feedback/definition.ts';
import { faultAt, useEditor } from './bound.tsx';
import {
  type DraftQuestion,
  type DraftRule,
  findQuestion,
  type PlacedQuestion,
  placedQuestions,
  setAt,
} from './draft.ts';
import { choicesOf } from './question-form.tsx';
import { editorTexts } from './texts.ts';

export function RuleList({ found }: { readonly found: PlacedQuestion }): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const { path, question } = found;
  const rules = question.rules ?? [];
  const others = placedQuestions(editor.shaped.value!).filter((one) => one.question.id !== question.id);
  const at = [...path, 'rules'];
  const change = (after: readonly DraftRule[]): void =>
    editor.edit((now) => setAt(now, at, after.length === 0 ? undefined : after));
  const fault = faultAt(editor, at);
  const [first] = others;
  return (
    <fieldset class="bare">
      <legend>{t.rules}</legend>
      <p class="hint">{rules.length === 0 ? t.always : t.askOnly}</p>
      {rules.map((rule, index) => (
        <RuleLine
          key={index}
          number={index + 1}
          rule={rule}
          others={others}
          faults={['', 'question', 'operator', 'answer']
            .map((name) => faultAt(editor, name === '' ? [...at, index] : [...at, index, name]))
            .filter((one) => one !== null)}
          onChange={(after) =>
            change(rules.flatMap((one, place) => (place !== index ? [one] : after === null ? [] : [after])))
          }
        />
      ))}
      {fault !== null && <p class="fault">{fault}</p>}
      {first !== undefined && (
        <p>
          <button
            type="button"
            class="small"
            onClick={() =>
              change([...rules, newRule(others.findLast((one) => one.index < found.index) ?? first)])
            }
          >
            {rules.length === 0 ? t.addRule : t.addOtherRule}
          </button>
        </p>
      )}
    </fieldset>
  );
}

function newRule({ question, isMeasured }: PlacedQuestion): DraftRule {
  const isText = question.responseType?.startsWith('TEXT') === true;
  const [first] = choicesOf(question, isMeasured);
  return { question: question.id, operator: isText ? 'contains' : 'equals', answer: first?.id ?? '' };
}

function RuleLine({
  rule,
  number,
  others,
  faults,
  onChange,
}: {
  readonly rule: DraftRule;
  readonly number: number;
  readonly others: readonly PlacedQuestion[];
  readonly faults: readonly string[];
  readonly onChange: (rule: DraftRule | null) => void;
}): JSX.Element {
  const editor = useEditor();
  const { t } = editorTexts;
  const source = findQuestion(editor.shaped.value!, rule.question);
  const choices = source === undefined ? [] : choicesOf(source.question, source.isMeasured);
  const isChosen = rule.operator === 'equals' && choices.length > 0;
  return (
    <>
      <div class="rule">
        <span class="hint">{number > 1 ? t.or : ''}</span>
        <select
          aria-label={`${t.ruleQuestion} ${number}`}
          value={rule.question}
          onChange={({ currentTarget }) => {
            const chosen = others.find((one) => one.question.id === currentTarget.value);
            if (chosen !== undefined) onChange(newRule(chosen));
          }}
        >
          {source === undefined && <option value={rule.question}>{rule.question}</option>}
          {others.map(({ question }) => (
            <option key={question.id} value={question.id}>
              {shortName(question)}
            </option>
          ))}
        </select>
        <select
          aria-label={`${t.ruleOperator} ${number}`}
          value={rule.operator}
          onChange={({ currentTarget }) =>
            onChange({ ...rule, operator: currentTarget.value as RuleOperator })
          }
        >
          {operatorsFor(source?.question).map((operator) => (
            <option key={operator} value={operator}>
              {t.operators[operator]}
            </option>
          ))}
        </select>
        {isChosen ? (
          <select
            aria-label={`${t.ruleAnswer} ${number}`}
            value={String(rule.answer)}
            onChange={({ currentTarget }) => onChange({ ...rule, answer: currentTarget.value })}
          >
            {!choices.some(({ id }) => id === String(rule.answer)) && (
              <option value={String(rule.answer)}>{rule.answer}</option>
            )}
            {choices.map(({ id, text }) => (
              <option key={id} value={id}>
                {text}
              </option>
            ))}
          </select>
        ) : (
          <input
            type="text"
            aria-label={`${t.ruleAnswer} ${number}`}
            value={String(rule.answer)}
            onInput={({ currentTarget }) => onChange({ ...rule, answer: currentTarget.value })}
          />
        )}
        <button
          type="button"
          class="quiet small danger-quiet"
          aria-label={`${t.remove}: ${number}`}
          onClick={() => onChange(null)}
        >
          ×
        </button>
      </div>
      {faults.map((fault) => (
        <p class="fault" key={fault}>
          {fault}
        </p>
      ))}
    </>
  );
}

function operatorsFor(question: DraftQuestion | undefined): readonly RuleOperator[] {
  return question?.responseType?.startsWith('TEXT') ? ['contains', 'equals'] : ruleOperators;
}

export function shortName({ name, id }: DraftQuestion): string {
  const text = typeof name === 'string' && name !== '' ? name : id;
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
