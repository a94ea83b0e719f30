// What is the matter with a connection to an identity provider, if anything: the provider is asked for its metadata now, and
// told the time by it. "soundings doctor" and the console say the same of it.

export const connectionFaultCodes = ['noSecret', 'provider', 'secretLost', 'clock'] as const;
