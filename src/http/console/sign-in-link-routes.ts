// POST /console/api/sign-in/link: whoever opens a one-time link is signed in by it, once.

import type { FastifyInstance } from 'fastify';
import { readLinkCode } from '../../domain/access/one-time-link.ts';
import { hashSecret } from '../../domain/access/secret.ts';
import { actorOf, personIdOf } from '../../domain/access/visitor.ts';
import { Problem } from '../../domain/problem.ts';
import { findLink, type LinkKey, signInByLink } from '../../store/access/one-time-links.ts';
import { addRoute } from '../server/route.ts';
import { Type } from '../server/schema.ts';
import { consoleDocument } from './console-document.ts';
import type { ConsoleServices } from './console-services.ts';
import { personSchema, shownPerson } from './shown-person.ts';

const codeLengthMax = 200;

const signedIn = Type.Object(
  {
    person: personSchema,
    mustAddCredential: Type.Boolean({
      description: 'Whether they have neither a passkey nor a password, and so no way to come back.',
    }),
  },
  { $id: 'SignedInByLink' },
);

export function signInLinkRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, credentialCache, wrong, visitors, signingIn } = services;

  addRoute(app, {
    method: 'POST',
    path: '/console/api/sign-in/link',
    area: 'console',
    access: { people: 'signingIn' },
    consumes: ['application/json'],
    body: Type.Object({ code: Type.String({ maxLength: codeLengthMax }) }),
    document: consoleDocument({
      operationId: 'signInByLink',
      summary: 'Sign in by a one-time link',
      description: 'The code is what stands behind the # of the link. It works once.',
      tag: 'Sign-in',
      success: { status: 200, schema: signedIn, description: 'Signed in; the cookie is set.' },
    }),
    async handle({ body: { code } }, request, reply) {
      const key = await keyOf(code);
      const found =
        key && (await wrong.lookUp(request.ip, null, () => findLink(context.db, key, context.now())));
      if (!found) throw wrong.refusal(request.ip, refused());
      const { person, hasCredential, admitsAdmin } = found;
      const personId = personIdOf(person);
      const current = await visitors.find(request);
      const isSame =
        current !== null &&
        current.key.accountId === personId.accountId &&
        current.visitor.person.id === personId.personId;
      const proof = { ...personId, actor: actorOf({ person }), way: 'link', admitsAdmin } as const;
      const { input, secret } = await signingIn.prepare(request, proof);
      const isIn = await context.db.write(signInByLink, {
        ...input,
        codeHash: key.codeHash,
        ...(isSame ? { endsSessionId: current.visitor.sessionId } : {}),
      });
      if (!isIn) throw wrong.refusal(request.ip, refused());
      signingIn.finish(reply, personId.accountId, secret);
      return { person: shownPerson(person), mustAddCredential: !hasCredential };
    },
  });

  async function keyOf(code: string): Promise<LinkKey | null> {
    const read = readLinkCode(code);
    if (read === null) return null;
    const { secretKey } = await credentialCache.identity();
    return { accountId: read.accountId, codeHash: hashSecret(read.secret, secretKey) };
  }
}

/** One sentence for whatever is the matter: nobody learns from it whether a code was ever right (D-322). */
function refused(): Problem {
  return new Problem(
    'SIGN_IN_REFUSED',
    'This link lets nobody in: it was used, has ended, or a newer one took its place. Ask for another, or at a terminal of the service run "soundings operator link".',
  );
}
