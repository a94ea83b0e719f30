// Every verb, in the groups and the order of --help: what a newcomer looks for first stands first.

import { audit } from './care/audit.ts';
import { backup } from './care/backup.ts';
import { clockFamily } from './care/clock.ts';
import { doctor } from './care/doctor.ts';
import { maintenance } from './care/maintenance.ts';
import { migrate } from './care/migrate.ts';
import { repair } from './care/repair.ts';
import { restore } from './care/restore.ts';
import { verify } from './care/verify.ts';
import { epp } from './data/epp.ts';
import { erase } from './data/erase.ts';
import { exportVerb } from './data/export.ts';
import { insightFamily } from './data/insight.ts';
import { redrive, refusedFamily } from './data/refused.ts';
import { report } from './data/report.ts';
import { retentionFamily } from './data/retention.ts';
import { sourceFamily } from './data/source.ts';
import { viewFamily } from './data/view.ts';
import { webhookFamily } from './data/webhook.ts';
import type { Groups } from './frame/command-line.ts';
import { clientFamily } from './keys/client.ts';
import { keysFamily } from './keys/keys.ts';
import { provisioningTokenFamily } from './keys/provisioning-token.ts';
import { token } from './keys/token.ts';
import { accountFamily } from './people/account.ts';
import { connectionFamily } from './people/connection.ts';
import { operatorFamily } from './people/operator.ts';
import { groupFamily, roleFamily } from './people/roles.ts';
import { scimFamily } from './people/scim.ts';
import { setupLinkFamily } from './people/setup-link.ts';
import { userFamily } from './people/user.ts';
import { config } from './start/config.ts';
import { demo, serve } from './start/start.ts';
import { apply, catalogueFamily } from './surveys/catalogue.ts';
import { invitationFamily } from './surveys/invitation.ts';
import { invite } from './surveys/invite.ts';
import { share } from './surveys/share.ts';

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
