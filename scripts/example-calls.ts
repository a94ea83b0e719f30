// One call for each operation of the API document that the demo account answers as it stands, in whatever order they
// are sent. Ids are those that `soundings serve --demo` gives out on an empty store (src/cli/demo).

export interface ExampleCall {
  /** Of the path, the query and the headers, by their names. */
  readonly parameters?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
}

const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User';
const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group';
const serviceSchema = 'urn:ietf:params:scim:schemas:extension:service:1.0:User';
const messages = 'urn:ietf:params:scim:api:messages:2.0';

const ana = '1000000001';
const ben = '1000000002';
// Nobody else is told to go or to lose members, so that every call finds what it is about.
const leavingUser = '1000000003';
const managers = '1000000004';
const leavingGroup = '1000000005';

// The demo has responses of the last 90 days, whenever it is loaded.
const everyDay = { from: '2025-01-01', to: '2035-12-31' };
// As many days as figures are told of at once.
const tenYears = { from: '2025-10-01', to: '2035-10-31' };
const satisfiedOnes = { filter: 'gt,latent:L-SAT,50', within: 2_000 };
const ratedOnes = { filter: 'gt,rating,1', within: 2_000 };
const lastYears = { from: '2026-01-01', to: '2028-09-26' };
const anyVersion = { 'If-Match': '*' };
const unknownVersion = { 'If-None-Match': 'W/"0"' };

const person = (given: string, family: string): object => {
  const address = `${given}.${family}@acme.example`.toLowerCase();
  return {
    userName: address,
    name: { givenName: given, familyName: family },
    emails: [{ value: address, type: 'work', primary: true }],
  };
};

export const exampleCalls: Readonly<Record<string, ExampleCall>> = {
  issueToken: { parameters: { grant_type: 'client_credentials', scope: 'r_cx_basic' }, body: {} },
  authorizationServerMetadata: {},

  surveyDefinition: { parameters: { name: 'acme-badge-1', lang: 'en' } },
  surveyToken: { parameters: { name: 'acme-badge-1' } },

  listMeasures: { parameters: { offset: 0, limit: 2 } },
  measureDefinition: {
    parameters: { measurementKey: 8840868, excludeQuestions: false, excludeAnswers: false },
  },
  measureData: {
    parameters: {
      measurementKey: 8840868,
      ...everyDay,
      excludeResponseDetails: false,
      excludeMQ: false,
      excludeCQ: false,
      excludePassedParams: false,
      excludeLatentScores: false,
      offset: 0,
      limit: 2,
    },
  },
  appendExternalParameters: {
    parameters: { measurementKey: 8840868, replace: true, dryRun: false },
    body: '{"responseId":"my-first-response","loyalty_tier":"gold"}\n',
  },
  measureChanges: { parameters: { measurementKey: 8840868, position: 100, limit: 2, wait: 0 } },

  measureComments: {
    parameters: {
      measurementKey: 8840868,
      ...tenYears,
      q: 'slow',
      question: 'Q-WHY',
      filter: 'not,version,7',
      minimum: 1,
      limit: 2,
      within: 2000,
    },
  },
  measureDigest: { parameters: { measurementKey: 8840868, ...lastYears } },

  measureTrend: {
    parameters: {
      ...{ measurementKey: 8840868, ...tenYears, ...satisfiedOnes },
      ...{ unit: 'month', compare: 'previous', minimum: 1 },
    },
  },
  measureDistribution: {
    parameters: { measurementKey: 8840868, ...tenYears, ...satisfiedOnes, minimum: 1 },
  },
  measureDrivers: { parameters: { measurementKey: 8840868, ...tenYears, ...satisfiedOnes, minimum: 1 } },
  measureBreakdown: {
    parameters: {
      ...{ measurementKey: 8840868, ...tenYears, by: 'device', minimum: 1, limit: 2, within: 2000 },
      filter: 'gt,question:Q-NPS,6;contains,locale,en',
    },
  },
  measureResponse: {
    parameters: {
      ...{ measurementKey: 8840868, responseId: 'demo-visit' },
      excludeResponseDetails: false,
      excludeMQ: false,
      excludeCQ: false,
      excludePassedParams: false,
      excludeLatentScores: false,
    },
  },
  measureResponseTrace: { parameters: { measurementKey: 8840868, responseId: 'demo-visit' } },
  measureCost: { parameters: { measurementKey: 8840868, ...everyDay, limit: 100 } },

  listProjects: {},
  projectDefinition: { parameters: { projectId: 3223 } },
  projectData: { parameters: { projectId: 3223, ...everyDay, limit: 2, offset: 0 } },
  projectChanges: { parameters: { projectId: 3223, position: 10, limit: 2, wait: 0 } },

  projectTrend: {
    parameters: {
      ...{ projectId: 3223, ...tenYears, ...ratedOnes },
      ...{ unit: 'month', compare: 'previous', minimum: 1 },
    },
  },
  projectDistribution: { parameters: { projectId: 3223, ...tenYears, ...ratedOnes, minimum: 1 } },
  projectTopics: {
    parameters: { projectId: 3223, ...tenYears, ...ratedOnes, compare: 'previous', minimum: 1, pages: 2 },
  },
  projectBreakdown: {
    parameters: {
      ...{ projectId: 3223, ...tenYears, by: 'page', minimum: 1, limit: 2, within: 2000 },
      filter: 'lt,rating,5',
    },
  },
  projectResponse: { parameters: { projectId: 3223, responseId: 'demo-badge' } },
  projectCost: { parameters: { projectId: 3223, ...everyDay, limit: 100 } },

  projectComments: {
    parameters: {
      ...{ projectId: 3223, from: '2026-01-01', to: '2035-12-31', q: 'delivery', question: 'Q-COMMENT' },
      ...{ filter: 'gt,rating,1', minimum: 1, limit: 2, within: 2000 },
    },
  },
  projectDigest: { parameters: { projectId: 3223, ...lastYears } },
  exportMeasure: {
    parameters: {
      ...{ measurementKey: 8840868, ...everyDay, format: 'ndjson', after: 0, until: 2 },
      excludeResponseDetails: true,
    },
  },
  exportProject: { parameters: { projectId: 3223, ...everyDay, format: 'ndjson', after: 0, until: 2 } },

  ingestResponse: {
    body: {
      surveyDefinitionId: 'acme-badge-1',
      responseId: 'my-first-response',
      url: 'https://shop.acme.example/checkout',
      locale: 'en-GB',
      pageVisits: '4',
      completionTimeInMs: 21500,
      deviceDetails: { deviceType: 'Phone', os: 'Android', screenWidth: 412, isTablet: false },
      integrations: { googleAnalyticsId: 'GA1.2.1234567890.1700000000' },
      responses: { 'Q-STARS': ['4'], 'Q-TOPIC': ['T-4'], 'Q-COMMENT': ['My first response'] },
      cpps: {
        properties: { visited: ['home', 'checkout'] },
        metrics: { cart_value: 59.9 },
        data: { segment: 'returning' },
      },
      isTest: false,
    },
  },

  createInvitations: {
    parameters: { surveyId: 'acme-stores-1' },
    body: {
      invitations: [{ parameters: { store_id: 'S-104', receipt_total: '84.50' } }, {}],
      expiresInDays: 30,
    },
  },
  revokeInvitations: {
    parameters: { surveyId: 'acme-stores-1' },
    body: { invitationIds: ['0199c8f4-7d3a-7c11-9a52-000000000001'] },
  },

  getServiceProviderConfig: {},
  listResourceTypes: {},
  listSchemas: {},
  searchUsers: {
    body: {
      schemas: [`${messages}:SearchRequest`],
      filter: 'name.familyName sw "lo"',
      sortBy: 'userName',
      sortOrder: 'ascending',
      startIndex: 1,
      count: 10,
    },
  },
  listUsers: {
    parameters: { filter: 'userName eq "ana.lopes@acme.example"', startIndex: 1, count: 10 },
  },
  createUser: {
    body: {
      schemas: [userSchema, serviceSchema],
      externalId: 'acme-1004',
      ...person('Dana', 'Novak'),
      active: true,
      phoneNumbers: [{ value: '+44 20 7946 0000', type: 'work' }],
      [serviceSchema]: { clientId: 4001, authenticationProvider: 'acme-sso' },
      meta: {},
    },
  },
  getUser: { parameters: { id: 'acme-1001', ...anyVersion, ...unknownVersion } },
  replaceUser: {
    parameters: { id: 'acme-1001', ...anyVersion },
    body: { schemas: [userSchema], ...person('Ana', 'Lopes'), active: true, meta: {} },
  },
  patchUser: {
    parameters: { id: 'acme-1002', ...anyVersion },
    body: {
      schemas: [`${messages}:PatchOp`],
      operations: [{ op: 'replace', path: 'active', value: false }],
    },
  },

  scimGetServiceProviderConfig: {},
  scimListResourceTypes: {},
  scimListSchemas: {},
  scimGetResourceType: { parameters: { id: 'User' } },
  scimGetSchema: { parameters: { id: groupSchema } },
  scimSearchUsers: {
    body: {
      schemas: [`${messages}:SearchRequest`],
      filter: 'emails[type eq "work" and value ew "@acme.example"]',
      attributes: ['userName', 'emails'],
      startIndex: 1,
      count: 10,
    },
  },
  scimListUsers: {
    parameters: {
      filter: 'userName eq "ana.lopes@acme.example"',
      startIndex: 1,
      count: 10,
      sortBy: 'userName',
      sortOrder: 'ascending',
      excludedAttributes: 'phoneNumbers',
    },
  },
  scimCreateUser: {
    parameters: { excludedAttributes: 'groups' },
    body: { schemas: [userSchema], externalId: 'acme-1005', ...person('Emil', 'Berg'), active: true },
  },
  scimGetUser: {
    parameters: { id: ana, excludedAttributes: 'phoneNumbers', ...anyVersion, ...unknownVersion },
  },
  scimReplaceUser: {
    parameters: { id: ben, excludedAttributes: 'groups', ...anyVersion },
    body: { schemas: [userSchema], ...person('Ben', 'Okafor'), title: 'Store manager', active: true },
  },
  scimPatchUser: {
    parameters: { id: ben, excludedAttributes: 'groups', ...anyVersion },
    body: {
      schemas: [`${messages}:PatchOp`],
      Operations: [
        { op: 'replace', path: 'name.formatted', value: 'Ben Okafor' },
        { op: 'add', path: 'phoneNumbers[type eq "work"].value', value: '+44 20 7946 0001' },
      ],
    },
  },
  scimDeleteUser: { parameters: { id: leavingUser, ...anyVersion } },
  scimSearch: {
    body: {
      schemas: [`${messages}:SearchRequest`],
      filter: 'displayName sw "Store" or userName sw "ana"',
      startIndex: 1,
      count: 10,
    },
  },
  scimSearchGroups: {
    body: {
      schemas: [`${messages}:SearchRequest`],
      filter: 'displayName sw "Store"',
      excludedAttributes: ['members'],
      startIndex: 1,
      count: 10,
    },
  },
  scimListGroups: {
    parameters: {
      filter: 'displayName eq "Store managers"',
      startIndex: 1,
      count: 10,
      sortBy: 'displayName',
      sortOrder: 'ascending',
      excludedAttributes: 'externalId',
    },
  },
  scimCreateGroup: {
    parameters: { excludedAttributes: 'externalId' },
    body: { schemas: [groupSchema], displayName: 'Web team', members: [{ value: ana }] },
  },
  scimGetGroup: {
    parameters: { id: managers, excludedAttributes: 'externalId', ...anyVersion, ...unknownVersion },
  },
  scimReplaceGroup: {
    parameters: { id: managers, excludedAttributes: 'externalId', ...anyVersion },
    body: {
      schemas: [groupSchema],
      displayName: 'Store managers',
      members: [{ value: ana }, { value: ben }],
    },
  },
  scimPatchGroup: {
    parameters: { id: managers, attributes: 'displayName', ...anyVersion },
    body: {
      schemas: [`${messages}:PatchOp`],
      Operations: [{ op: 'add', path: 'members', value: [{ value: ben }] }],
    },
  },
  scimDeleteGroup: { parameters: { id: leavingGroup, ...anyVersion } },
  scimBulk: {
    body: {
      schemas: [`${messages}:BulkRequest`],
      failOnErrors: 1,
      Operations: [
        {
          method: 'POST',
          path: '/Users',
          bulkId: 'fay',
          data: { schemas: [userSchema], ...person('Fay', 'Turner') },
        },
        {
          method: 'PATCH',
          path: `/Groups/${managers}`,
          data: {
            schemas: [`${messages}:PatchOp`],
            Operations: [{ op: 'add', path: 'members', value: [{ value: 'bulkId:fay' }] }],
          },
        },
      ],
    },
  },
};
