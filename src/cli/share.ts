// soundings share: how people get to a survey. Its link, the link as a QR code, and the line that puts it on another page.

import { pipeline } from 'node:stream/promises';
import { qrCodeOf, qrLines, qrSvg } from '../acts/pages/qr-code.ts';
import type { Context } from '../context.ts';
import { embedAttributes } from '../domain/pages/embed-line.ts';
import { surveyLink } from '../domain/pages/invitation.ts';
import { type PageSurvey, Sources } from '../store/feedback/sources.ts';
import { fileOutput } from './export-output.ts';
import { type Flags, withContext } from './open-context.ts';
import type { Common } from './options.ts';
import { pagesAddress } from './service-address.ts';
import { CommandError, type Terminal, visible } from './terminal.ts';

export interface ShareOptions extends Common {
  readonly url?: string;
  readonly svg?: string;
  readonly force?: boolean;
}

export async function share(
  terminal: Terminal,
  flags: Flags,
  name: string,
  options: ShareOptions,
): Promise<void> {
  const settings = options.url === undefined ? {} : { settings: { publicUrl: options.url } };
  await withContext(terminal, { ...flags, ...settings }, async (context) => {
    const page = await publicPage(context, name);
    const base = await pagesAddress(terminal, context, { url: options.url, isForOthers: false });
    const { id: surveyId, closed, origins } = page.survey.definition;
    const link = surveyLink(base, name);
    const embed = `<script ${embedAttributes({ base, name })} async></script>`;
    const code = qrCodeOf(link);
    if (options.svg !== undefined) await writePicture(options.svg, qrSvg(code), options.force === true);
    if (options.json)
      return terminal.print(
        JSON.stringify({ name, surveyId, closed, origins, link, embed, svg: options.svg ?? null }),
      );
    terminal.print(`Link:  ${link}`);
    terminal.print(`Embed: ${embed}`);
    terminal.print('');
    for (const line of qrLines(code, terminal.isInteractive && !terminal.env.NO_COLOR)) draw(terminal, line);
    if (options.svg !== undefined) terminal.tell(`The QR code was written to ${options.svg}.`);
    if (origins.length > 0) terminal.tell(`It can be embedded in pages of ${origins.join(', ')} alone.`);
    if (closed)
      terminal.tell(`The survey ${visible(surveyId)} is closed: its page says so and takes nothing.`);
  });
}

async function publicPage(context: Context, name: string): Promise<PageSurvey> {
  const page = await new Sources(context).freshOfPage(name);
  if (page === null)
    throw new CommandError(
      `There is no survey "${name}". Name the id of a version, or the site key of a project for its current version.`,
    );
  if (page.survey.definition.public) return page;
  throw new CommandError(
    `The survey ${page.survey.definition.id} is private: its page is shown to nobody without an invitation. Make links with "soundings invite ${page.survey.definition.id} LIST.csv".`,
  );
}

/** The colours of the code are what a terminal obeys, and `print` lets nothing pass that it would. */
function draw(terminal: Terminal, line: string): void {
  if (line.startsWith('\u001b')) process.stdout.write(`${line}\n`);
  else terminal.print(line);
}

async function writePicture(file: string, picture: string, isForced: boolean): Promise<void> {
  const output = await fileOutput(file, isForced);
  try {
    await pipeline([picture], output.stream);
    await output.keep();
  } catch (error) {
    await output.discard();
    throw output.explain(error);
  }
}
