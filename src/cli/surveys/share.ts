// soundings share: how people get to a survey. Its link, the link as a QR code, and the line that puts it on another page.

import { embedAttributes } from '../../domain/pages/embed-line.ts';
import { surveyLink } from '../../domain/pages/invitation.ts';
import { argument, option, toggle } from '../frame/takes.ts';
import { type Terminal, visible } from '../frame/terminal.ts';
import { verb } from '../frame/verb.ts';

export const share = verb({
  about: 'show the link to a public survey, its QR code, and the line that embeds it in a page',
  takes: {
    survey: argument('id of a survey, or site key of a project for its current version'),
    url: option('<url>', 'the address at which people reach the service (default: SOUNDINGS_PUBLIC_URL)'),
    svg: option('<file>', 'also write the QR code to an SVG file, for printing'),
    force: toggle('overwrite an existing file'),
  },
  help: '\nExample:\n  soundings share acme-web --svg poster.svg\n',
  settings: ({ url }) => (url === undefined ? {} : { publicUrl: url }),
  load: async () => ({
    ...(await import('../../acts/pages/qr-code.ts')),
    ...(await import('../frame/service-address.ts')),
    ...(await import('./public-survey.ts')),
  }),
  async act({ terminal, context, isJson, input }, loaded) {
    const { survey: name, url, svg = null, force } = input;
    const page = await loaded.publicPage(context, name);
    const base = await loaded.pagesAddress(terminal, context, { url, isForOthers: false });
    const { id: surveyId, closed, origins } = page.survey.definition;
    const link = surveyLink(base, name);
    const embed = `<script ${embedAttributes({ base, name })} async></script>`;
    const code = loaded.qrCodeOf(link);
    if (svg !== null) await loaded.writePicture(svg, loaded.qrSvg(code), force);
    if (!isJson) {
      for (const line of [`Link:  ${link}`, `Embed: ${embed}`, '']) terminal.print(line);
      const hasColours = terminal.isInteractive && !terminal.env.NO_COLOR;
      for (const line of loaded.qrLines(code, hasColours)) draw(terminal, line);
    }
    return { name, surveyId, closed, origins, link, embed, svg };
  },
  json: (facts) => facts,
  hint: ({ surveyId, closed, origins, svg }) => [
    ...(svg === null ? [] : [`The QR code was written to ${svg}.`]),
    ...(origins.length === 0 ? [] : [`It can be embedded in pages of ${origins.join(', ')} alone.`]),
    ...(closed ? [`The survey ${visible(surveyId)} is closed: its page says so and takes nothing.`] : []),
  ],
});

/** The colours of the code are what a terminal obeys, and `print` lets nothing pass that it would. */
function draw(terminal: Terminal, line: string): void {
  if (line.startsWith('\u001b')) process.stdout.write(`${line}\n`);
  else terminal.print(line);
}
