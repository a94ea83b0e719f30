// Who can stand behind an entry of the audit log, beside the command line.

export const actorKinds = ['user', 'operator', 'provisioningToken', 'apiClient'] as const;
