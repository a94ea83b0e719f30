// What the line says that puts a survey on a page of another site. What its settings mean is in docs/surveys.md.

export const embedModes = ['popover', 'badge', 'inline', 'open'] as const;
export type EmbedMode = (typeof embedModes)[number];

interface EmbedLine {
  /** The address of the service. */
  readonly base: string;
  /** The id of a survey, or the site key of a project. */
  readonly name: string;
  /** A popover where nothing is said. */
  readonly mode?: EmbedMode;
  /** In a frame of its own, where the policy of the page does not let it connect. */
  readonly isFramed?: boolean;
  /** Where an inline survey stands: a selector of CSS. */
  readonly target?: string;
  readonly language?: string;
  /** Nothing is kept, and so nothing offered, before the visitor consents. */
  readonly asksConsent?: boolean;
}

/** The attributes of the script element, as HTML. */
export function embedAttributes({
  base,
  name,
  mode = 'popover',
  isFramed = false,
  ...line
}: EmbedLine): string {
  const modes = [...(mode === 'popover' ? [] : [mode]), ...(isFramed ? ['frame'] : [])];
  const attributes: readonly (readonly [string, string | undefined])[] = [
    ['src', `${base}/embed.js`],
    ['data-survey', name],
    ['data-mode', modes.length === 0 ? undefined : modes.join(' ')],
    ['data-target', mode === 'inline' ? (line.target ?? '#survey') : undefined],
    ['data-lang', line.language],
    ['data-consent', line.asksConsent === true ? 'required' : undefined],
  ];
  return attributes
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}="${attributeText(value)}"`]))
    .join(' ');
}

function attributeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
