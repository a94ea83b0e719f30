// The package brings no types; these are the few that the tests use.
declare module 'simple-oauth2' {
  export interface Settings {
    readonly client: { readonly id: string; readonly secret: string };
    readonly auth: { readonly tokenHost: string; readonly tokenPath: string };
    readonly options?: {
      readonly authorizationMethod?: 'header' | 'body';
      readonly credentialsEncodingMode?: 'strict' | 'loose';
    };
  }

  export class ClientCredentials {
    constructor(settings: Settings);
    getToken(parameters: { readonly scope?: string | readonly string[] }): Promise<{
      readonly token: Readonly<Record<string, unknown>>;
      expired(windowSeconds?: number): boolean;
    }>;
  }
}
