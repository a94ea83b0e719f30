// soundings keys: the keys that sign access tokens, and those that seal secrets in the store.

import { argument, toggle } from '../frame/takes.ts';
import { CommandError } from '../frame/terminal.ts';
import { family, verb } from '../frame/verb.ts';

const acts = () => import('../../acts/operations/keys.ts');

const rotate = verb({
  about: 'create a new signing key; tokens signed by the old one stay valid until they expire',
  takes: { sealing: toggle('create a sealing key instead; old ones can still open what they sealed') },
  help: '\nThe new key signs after 10 seconds, when every replica knows it; a sealing key is used at once. No restart is needed.\nExamples:\n  soundings keys rotate\n  soundings keys rotate --sealing\n',
  load: acts,
  act: async ({ context, stamp, input: { sealing } }, { rotateSealingKey, rotateSigningKey }) =>
    sealing ? rotateSealingKey(context, stamp()) : rotateSigningKey(context, stamp()),
  says: (made) =>
    'signsFrom' in made
      ? `Key ${made.kid} signs new tokens from ${made.signsFrom}; old tokens live out their time.`
      : `Key ${made.kid} seals from now on; older ones open until the last thing that they sealed has ended.`,
});

const list = verb({
  about: 'list the signing keys and the sealing keys, newest first, without their secrets',
  help: '\nA signing key signs, waits for its time, or is retired: it no longer signs, but its tokens stay valid until they expire.\nA key that is over has no valid tokens left and is deleted within the hour. A sealing key seals, opens what it sealed\nbefore, or is missing: SOUNDINGS_SEAL_KEY no longer contains it.\nExample:\n  soundings keys list\n',
  load: acts,
  act: async ({ context }, { shownSigningKeys, shownSealingKeys }) => ({
    keys: await shownSigningKeys(context),
    sealingKeys: await shownSealingKeys(context),
  }),
  says: ({ keys, sealingKeys }, _input, { sealedInWords }) => [
    ...keys.map(({ kid, state, signsFrom, signsUntil }) => {
      const until = signsUntil === null ? '' : ` until ${signsUntil}`;
      return `${kid}  ${state.padEnd(7)}  from ${signsFrom}${until}`;
    }),
    ...sealingKeys.map(({ kid, state, keptIn, neededUntil, sealed }) => {
      const holds = sealedInWords(sealed);
      const needed = neededUntil === null ? 'has sealed nothing' : `needed until ${neededUntil}`;
      return `${kid}  ${state.padEnd(7)}  in the ${keptIn}, ${needed}${holds === '' ? '' : `: ${holds}`}`;
    }),
  ],
});

const revoke = verb({
  about: 'revoke a key: a signing key with every older one, or a sealing key',
  takes: {
    kid: argument('id of the key, as shown by "soundings keys list"'),
    force: toggle('revoke even a sealing key that is still needed; what it sealed is lost'),
  },
  help: '\nFor a key that somebody else may know. Tokens of a signing key stop working within 5 seconds: callers get "invalid\ntoken" once and ask for a new one. If no other key is signing, a new one is created and signs at once. What a sealing\nkey has sealed can never be opened again, so the command says what that is and only proceeds with --force.\nExample:\n  soundings keys revoke 019a...\n',
  load: acts,
  act: ({ context, stamp, input: { kid, force: isForced } }, { revokeAnyKey, KeyNeeded }) =>
    revokeAnyKey(context, stamp(), { kid, isForced }).catch((error: unknown) => {
      if (!(error instanceof KeyNeeded)) throw error;
      throw new CommandError(error.message.replace(/\.$/, ', or say --force.'));
    }),
  json: ({ revoked, newKid, ends }) => ({ revoked, newKid, ...(ends !== undefined && { ends }) }),
  says: ({ revoked, newKid, ends, endsLinks }, { kid }, { sealedInWords }) => {
    if (ends !== undefined) {
      const lost = sealedInWords(ends);
      const links = 'pages of surveys that are open and invitations that it sealed are refused';
      const without = endsLinks ? links : 'nothing was sealed by it';
      return `Revoked ${kid}: ${lost === '' ? without : `${lost} can no longer be opened`}.`;
    }
    return [
      `Revoked ${revoked.join(', ')}: tokens signed by it are refused everywhere within 5 seconds.`,
      ...(newKid === null ? [] : [`Key ${newKid} signs from now on.`]),
    ];
  },
});

export const keysFamily = family(
  'keys',
  'keys that sign access tokens, and keys that seal secrets in the store',
  { rotate, list, revoke },
);
