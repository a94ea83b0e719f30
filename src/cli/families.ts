// Every verb, in the groups and the order of --help: what a newcomer looks for first stands first.

import { accountFamily, sourceFamily } from './account.ts';
import { audit } from './audit.ts';
import { backup } from './backup.ts';
import { apply, catalogueFamily } from './catalogue.ts';
import { clientFamily } from './client.ts';
import { clockFamily } from './clock.ts';
import type { Groups } from './command-line.ts';
import { config } from './config.ts';
import { connectionFamily } from './connection.ts';
import { doctor } from './doctor.ts';
import { epp } from './epp.ts';
import { erase } from './erase.ts';
import { exportVerb } from './export.ts';
import { insightFamily } from './insight.ts';
import { invitationFamily } from './invitation.ts';
import { invite } from './invite.ts';
import { keysFamily } from './keys.ts';
import { maintenance } from './maintenance.ts';
import { migrate } from './migrate.ts';
import { operatorFamily } from './operator.ts';
import { provisioningTokenFamily } from './provisioning-token.ts';
import { redrive, refusedFamily } from './refused.ts';
import { repair } from './repair.ts';
import { report } from './report.ts';
import { restore } from './restore.ts';
import { retentionFamily } from './retention.ts';
import { groupFamily, roleFamily } from './roles.ts';
import { scimFamily } from './scim.ts';
import { setupLinkFamily } from './setup-link.ts';
import { share } from './share.ts';
import { demo, serve } from './start.ts';
import { token } from './token.ts';
import { userFamily } from './user.ts';
import { verify } from './verify.ts';
import { viewFamily } from './view.ts';
import { webhookFamily } from './webhook.ts';

export const groups: Groups = {
  Start: [
    ['serve', serve],
    ['demo', demo],
    ['config', config],
  ],
  Data: [
    ['export', exportVerb],
    ['report', report],
    insightFamily,
    viewFamily,
    webhookFamily,
    ['epp', epp],
    refusedFamily,
    ['redrive', redrive],
    retentionFamily,
    ['erase', erase],
    sourceFamily,
  ],
  Surveys: [['apply', apply], catalogueFamily, ['share', share], ['invite', invite], invitationFamily],
  People: [
    accountFamily,
    userFamily,
    groupFamily,
    roleFamily,
    operatorFamily,
    connectionFamily,
    setupLinkFamily,
    scimFamily,
  ],
  Keys: [clientFamily, ['token', token], provisioningTokenFamily, keysFamily],
  Care: [
    ['doctor', doctor],
    ['audit', audit],
    ['backup', backup],
    ['verify', verify],
    ['restore', restore],
    ['migrate', migrate],
    ['repair', repair],
    ['maintenance', maintenance],
    clockFamily,
  ],
};
