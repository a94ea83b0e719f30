// A link that signs somebody in, as it is shown once: whoever runs the verb hands it on, we keep its hash.

interface Link {
  readonly url: string;
  readonly expiresAtMs: number;
}

export function shownLink<Facts extends object>({ url, expiresAtMs }: Link, facts: Facts) {
  return { ...facts, url, expiresAt: new Date(expiresAtMs).toISOString() };
}

export function linkHint({ expiresAt }: { readonly expiresAt: string }): string {
  return `It signs in once, until ${expiresAt}, and is not shown again. A new link ends it.`;
}
