// POST /console/api/sign-in/link: whoever opens a one-time link is signed in by it, once.

import type { FastifyInstance } from 'fastify';
import { signInLinkOperations } from '../../../contract/access/sign-in-link.ts';
import { readLinkCode } from '../../../domain/access/one-time-link.ts';
import { hashSecret } from '../../../domain/access/secret.ts';
import { actorOf, personIdOf } from '../../../domain/access/visitor.ts';
import { Problem } from '../../../domain/problem.ts';
import { findLink, type LinkKey, signInByLink } from '../../../store/people/one-time-links.ts';
import { addOperation } from '../../server/route.ts';
import type { ConsoleServices } from '../console-services.ts';
import { shownPerson } from '../people/shown-person.ts';

export function signInLinkRoutes(app: FastifyInstance, services: ConsoleServices): void {
  const { context, credentialCache, wrong, visitors, signingIn } = services;

  addOperation(
    app,
    signInLinkOperations,
    'POST /sign-in/link',
    async ({ body: { code } }, request, reply) => {
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
  );

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
