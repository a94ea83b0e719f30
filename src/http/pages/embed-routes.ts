// What pages of other sites load: /embed.js, what it must know of a survey before it shows anything, and the definition for
// pages that draw their own form.

import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { embeddingOperations } from '../../contract/pages/embedding.ts';
import type { SurveyLanguage } from '../../domain/feedback/definition.ts';
import type { PublicUrl } from '../../domain/operations/public-url.ts';
import { embedSettings } from '../../domain/pages/embed-settings.ts';
import { messagesOf } from '../../domain/pages/messages/messages.ts';
import { publicDefinition } from '../../domain/pages/public-definition.ts';
import { chooseLanguage } from '../../domain/pages/survey-language.ts';
import { Problem } from '../../domain/problem.ts';
import { Cache } from '../../store/engine/work/cache.ts';
import type { PageSurvey } from '../../store/feedback/sources.ts';
import { addOperation } from '../server/route.ts';
import { SharedFile } from '../server/shared-file.ts';
import { assetPath, type PageFiles } from './page-files.ts';
import { formTokenLifetimeMs } from './page-tokens.ts';
import type { PageVisits } from './page-visits.ts';
import { judgeOrigin } from './survey-origins.ts';

interface EmbedServices {
  readonly context: Pick<Context, 'now'>;
  readonly pageVisits: PageVisits;
  readonly pageFiles: PageFiles;
  readonly publicUrl: PublicUrl;
}

// Every page of a site asks for these: once in a while is enough, and what changed is seen soon.
const scriptCaching = 'public, max-age=600';
const surveyCaching = 'public, max-age=300';
const madeBytesMax = 16 * 1024 * 1024;

/** Something made from a survey for one language, compressed once. */
interface Made {
  readonly file: SharedFile;
  readonly tag: string;
  readonly bytes: number;
}

export function embedRoutes(
  app: FastifyInstance,
  { context, pageVisits, pageFiles, publicUrl }: EmbedServices,
): void {
  const made = new Cache<string, Made>({ bytesMax: madeBytesMax, bytesOf: ({ bytes }) => 3 * bytes });

  addOperation(app, embeddingOperations, 'GET /embed.js', async (_input, request, reply) => {
    const name = await builtFile('embed');
    reply.headers({ 'cross-origin-resource-policy': 'cross-origin', 'access-control-allow-origin': '*' });
    // Its own address stays the same for ever, so it is kept for a short time, unlike the file under its full name.
    return pageFiles.send(name, request, reply, scriptCaching);
  });

  addOperation(
    app,
    embeddingOperations,
    'GET /s/:name/embed.js',
    async ({ params: { name }, query: { lang } }, request, reply) => {
      const found = await publicSurvey(name, request, reply);
      const content = assetPath(await builtFile('embedContent'));
      return send(
        found,
        { lang, kind: `settings ${content}`, type: 'text/javascript' },
        request,
        reply,
        (language) => {
          const settings = embedSettings(
            found.ready.prepared(found.survey),
            nameOf(found),
            language,
            messagesOf(language),
            content,
          );
          return `export default ${JSON.stringify(settings)};`;
        },
      );
    },
  );

  addOperation(
    app,
    embeddingOperations,
    'GET /s/:name/definition.json',
    async ({ params: { name }, query: { lang } }, request, reply) => {
      const found = await publicSurvey(name, request, reply);
      return send(found, { lang, kind: 'definition', type: 'application/json' }, request, reply, (language) =>
        JSON.stringify(publicDefinition(found.ready.prepared(found.survey), nameOf(found), language)),
      );
    },
  );

  addOperation(
    app,
    embeddingOperations,
    'GET /s/:name/token',
    async ({ params: { name } }, request, reply) => {
      const { survey } = await publicSurvey(name, request, reply);
      const token = await pageVisits.newToken(survey.definition.id);
      reply.headers({ 'cache-control': 'no-store', vary: 'Origin' });
      return { token, expires: new Date(context.now() + formTokenLifetimeMs).toISOString() };
    },
  );

  async function builtFile(entry: 'embed' | 'embedContent'): Promise<string> {
    const manifest = pageFiles.remembered() ?? (await pageFiles.manifest());
    if (manifest === null)
      throw new Problem('ROUTE_NOT_FOUND', 'The pages of surveys are not built here: run "npm run build".');
    return manifest.entries[entry];
  }

  /** An unknown survey and a private one are the same refusal, after the same questions to the store. */
  async function publicSurvey(
    name: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<PageSurvey> {
    const lookUp = await pageVisits.find(name, request);
    const { found } = lookUp;
    if (found === null || !found.survey.definition.public) throw await pageVisits.unknown(lookUp, request);
    judgeOrigin(found.survey.definition, request, reply, new URL(publicUrl.base).origin);
    return found;
  }

  async function send(
    { ready: { source }, survey: { number, definition } }: PageSurvey,
    { lang, kind, type }: { readonly lang: string | undefined; readonly kind: string; readonly type: string },
    request: FastifyRequest,
    reply: FastifyReply,
    make: (language: SurveyLanguage) => string,
  ): Promise<FastifyReply> {
    const acceptLanguage = request.headers['accept-language'];
    const language = chooseLanguage(definition, { lang, acceptLanguage });
    const key = `${source.accountId} ${source.sourceId} ${source.revision} ${number} ${language} ${kind}`;
    let one = made.get(key);
    if (one === undefined) {
      const bytes = Buffer.from(make(language));
      const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`;
      one = { file: new SharedFile(async () => bytes), tag, bytes: bytes.length };
      made.set(key, one);
    }
    reply.headers({
      'cache-control': surveyCaching,
      'cross-origin-resource-policy': 'cross-origin',
      'content-language': language,
      etag: one.tag,
      vary: 'Origin, Accept-Language',
    });
    if (isAmong(request.headers['if-none-match'], one.tag)) return reply.code(304).send();
    return one.file.send(request, reply.type(`${type}; charset=utf-8`));
  }
}

/** Whoever compresses on the way makes the tag a weak one. */
function isAmong(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim()));
}

function nameOf({ ready: { source } }: PageSurvey): string {
  return source.kind === 'measure' ? source.measure.name : source.project.name;
}
