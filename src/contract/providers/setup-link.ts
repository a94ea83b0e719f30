// A set-up link as people see it who manage the account: never its code.

import { providerKinds } from '../../domain/access/provider-kind.ts';
import { Type } from '../schema.ts';

const moment = Type.String({ format: 'date-time' });

export const setupLinkSchema = Type.Object(
  {
    id: Type.String(),
    kind: Type.Enum([...providerKinds]),
    connectionId: Type.Union([Type.String(), Type.Null()], { description: 'What is set up by it.' }),
    mayChangeAdmins: Type.Boolean({ description: 'Whether the token that is made by it may change admins.' }),
    createdBy: Type.String({ description: 'As the audit log names them.' }),
    createdAt: moment,
    expiresAt: moment,
    usedAt: Type.Union([moment, Type.Null()], { description: 'When it was first opened.' }),
  },
  { $id: 'SetupLink' },
);
