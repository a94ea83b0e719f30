// What exactly did not match when somebody came back from an identity provider and was not let in (D-354): a part of the notes
// of the audit log. `reason` is what a library or a connection said, and is shown as it is.

interface AboutClaim {
  readonly claim: string;
}
interface AboutUser extends AboutClaim {
  readonly user: number;
}
interface NearUser extends AboutUser {
  /** The claim that is the userName of the user. */
  readonly nameClaim: string;
}
interface AtIssuer {
  readonly issuer: string;
}
interface Because {
  readonly reason: string;
}

const isNobody = ({ claim }: AboutClaim): string =>
  `the claim ${claim} is the externalId of no user of the account`;
const isNear = (near: NearUser): string =>
  `${isNobody(near)}; user ${near.user}, whose userName is the claim ${near.nameClaim},`;

export const refusalSentences = {
  authTimeMissing: () => 'the ID token has no auth_time, and a fresh sign-in was asked for',
  notFresh: () => 'auth_time lies before the fresh sign-in that was asked for',
  claimMissing: ({ claim }: AboutClaim) => `the ID token has no claim ${claim} with a text`,
  stateOther: () => 'the state of the answer is not the one that was sent',
  issuerOther: () => 'the answer names another issuer than that of the connection (iss of the answer)',
  issuerUnclear: ({ reason }: Because) => reason,
  idTokenMissing: () => 'the provider gave no ID token',
  idTokenFault: ({ reason }: Because) => `the ID token: ${reason}`,
  requestFailed: () => 'the request failed',
  providerAnswered: ({ reason }: Because) => `the provider answered ${reason}`,
  codeNotTaken: ({ reason }: Because) => `the provider did not take the code: ${reason}`,
  tokenEndpointFault: ({ reason }: Because) => `the token endpoint: ${reason}`,
  connectionRemoved: () => 'the connection was removed meanwhile',
  connectionChanged: ({ user }: Pick<AboutUser, 'user'>) =>
    `user ${user}: the connection was changed meanwhile`,
  connectionGone: ({ connection }: { readonly connection: string }) =>
    `there is no connection ${connection} any more`,
  connectionNotOnly: () => 'another connection is the only way into the account',
  connectionWithoutSecret: () => 'the connection has no client secret yet',
  noSignInBegun: () => 'the browser brought no sign-in that was begun',
  notHttps: () => 'the authorization endpoint is not under https',
  userSuspended: ({ claim, user }: AboutUser) => `the claim ${claim} is of user ${user}, who is suspended`,
  userOfOtherConnection: ({ user, connection }: { readonly user: number; readonly connection: string }) =>
    `user ${user} belongs to the connection ${connection}; "soundings connection assign" changes that`,
  noUser: isNobody,
  noExternalId: (near: NearUser) => `${isNear(near)} has no externalId`,
  otherCase: (near: NearUser) => `${isNear(near)} has it in another case`,
  otherExternalId: (near: NearUser) => `${isNear(near)} has another externalId`,
  metadataFailed: ({ issuer, reason }: AtIssuer & Because) => `the metadata of ${issuer}: ${reason}`,
  issuerNamedOtherwise: ({ issuer, named }: AtIssuer & { readonly named: string }) =>
    `the provider calls itself ${named}, not ${issuer}: enter the issuer as it writes it`,
  endpointMissing: ({ issuer, endpoint }: AtIssuer & { readonly endpoint: string }) =>
    `the metadata of ${issuer} have no ${endpoint} over https`,
  codeNotOffered: () => 'the provider does not offer the response type code',
  pkceNotOffered: () => 'the provider does not offer PKCE by S256',
  signatureNotOffered: ({ algorithms }: { readonly algorithms: string }) =>
    `the provider signs by none of ${algorithms}`,
};
