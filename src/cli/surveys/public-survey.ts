// A survey that everybody may open, and the picture of its link.

import { pipeline } from 'node:stream/promises';
import type { Context } from '../../context.ts';
import { type PageSurvey, Sources } from '../../store/feedback/sources.ts';
import { fileOutput } from '../frame/export-output.ts';
import { CommandError } from '../frame/terminal.ts';

export async function publicPage(context: Context, name: string): Promise<PageSurvey> {
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

export async function writePicture(file: string, picture: string, isForced: boolean): Promise<void> {
  const output = await fileOutput(file, isForced);
  try {
    await pipeline([picture], output.stream);
    await output.keep();
  } catch (error) {
    await output.discard();
    throw output.explain(error);
  }
}
