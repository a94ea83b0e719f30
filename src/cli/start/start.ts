// soundings serve and demo: a service, and data to look at.

import { numberText } from '../frame/progress.ts';
import { option, toggle } from '../frame/takes.ts';
import { CommandError } from '../frame/terminal.ts';
import { plainVerb, verb } from '../frame/verb.ts';
import { keepSecret, newClientText } from '../keys/client.ts';

export const serve = plainVerb({
  about: 'bring the schema up to date, then start the service',
  takes: {
    host: option('<host>', 'the address to listen on'),
    port: option('<port>', 'the port to listen on; 0 picks a free one'),
    workers: option('<count>', 'number of processes that share the port'),
    demo: toggle('load a demo account if the store has no accounts'),
    lan: toggle('let a phone in the same network open surveys; the console stays on this machine'),
  },
  help: '\nExample:\n  DATABASE_URL=postgres://me@db/soundings SOUNDINGS_PUBLIC_URL=https://feedback.example \\\n    soundings serve --host 0.0.0.0 --workers 2\n',
  load: async () => ({ ...(await import('./serve.ts')), ...(await import('./lan.ts')) }),
  async act({ terminal, flags, isJson, input }, { serve: serveAll, lanSettings }) {
    const { host, port, workers, demo: isDemo, lan } = input;
    const settings = {
      ...(lan && lanSettings()),
      ...(host !== undefined && { host }),
      ...(port !== undefined && { port }),
      ...(workers !== undefined && { workers }),
    };
    await serveAll(terminal, { ...flags, settings }, { isDemo, isJson });
  },
});

const responsesMax = 10_000_000;

export const demo = verb({
  about: 'load the demo account: a retailer whose visitors gave feedback over the last 90 days',
  takes: {
    responses: option('<count>', 'load this many more (default: up to a total of 5,000)', responsesOf),
  },
  help: '\nThe data is the same every time for the same day and the same commands. Progress goes to standard error.\nExamples:\n  soundings demo\n  soundings demo --responses 100000\n',
  load: () => import('../demo/demo.ts'),
  async act({ terminal, context, input }, { fillDemo }) {
    const filled = await fillDemo(context, terminal, input.responses);
    return { ...filled, isInteractive: terminal.isInteractive };
  },
  json: ({ isInteractive: _, ...filled }) => filled,
  says({ accountId, loaded, total, demoClient, isInteractive }) {
    const more = loaded === 0 ? ' already; --responses N loads more' : '';
    const sentence = `Account ${accountId} has ${numberText(total)} responses${more}.`;
    if (demoClient === null) return sentence;
    return [sentence, isInteractive ? newClientText(demoClient) : JSON.stringify(demoClient)];
  },
  hint: ({ demoClient }) => (demoClient === null ? null : keepSecret),
});

function responsesOf(text: string): number {
  const count = Number(text);
  if (/^[1-9]\d*$/.test(text) && count <= responsesMax) return count;
  throw new CommandError(
    `--responses must be a whole number from 1 to ${numberText(responsesMax)}, not "${text}".`,
  );
}
