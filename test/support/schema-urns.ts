// The names of SCIM's schemas and messages, written out once for all tests and apart from the code they are tests of.

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const enterpriseSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const serviceSchema = 'urn:ietf:params:scim:schemas:extension:service:1.0:User';
export const errorSchema = 'urn:ietf:params:scim:api:messages:2.0:Error';
export const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const bulkSchema = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
