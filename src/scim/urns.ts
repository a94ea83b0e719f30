// Every URN of SCIM that is spoken here (RFC 7643 section 10, RFC 7644 section 8).

import { serviceExtension } from '../domain/provisioning/user.ts';

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const enterpriseSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
/** The extension of this service, of which the domain knows one attribute. */
export const serviceSchema = serviceExtension;

export const serviceProviderConfigSchema = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
export const resourceTypeSchema = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
export const schemaSchema = 'urn:ietf:params:scim:schemas:core:2.0:Schema';

export const listResponseSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const bulkRequestSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
export const bulkResponseSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkResponse';
export const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** Whether `schemas`, as it was sent, names a schema; URNs are the same in any case. */
export function namesSchema(sent: unknown, urn: string): boolean {
  const urns: readonly unknown[] = Array.isArray(sent) ? sent : [];
  return urns.some((one) => typeof one === 'string' && one.toLowerCase() === urn.toLowerCase());
}
