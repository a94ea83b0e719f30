// Trusted Types: on our own pages only what went through here becomes an address of code or a document (D-824). On a page of
// somebody else, and in browsers that have none, texts are handed on as they are, and the rules of that page hold.

interface PolicyRules {
  readonly createScriptURL?: (text: string) => string;
  readonly createHTML?: (text: string) => string;
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: PolicyRules,
  ): { createScriptURL(text: string): unknown; createHTML(text: string): unknown };
}

type Policy = ReturnType<TrustedTypes['createPolicy']>;

function policyOf(name: string, rules: PolicyRules): Policy | null {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  try {
    return trustedTypes?.createPolicy(name, rules) ?? null;
  } catch {
    // The page that we are embedded in names other policies, or has one of this name.
    return null;
  }
}

let scripts: Policy | null | undefined;

/** The address of a file of ours, to load code from: of the place that this code came from, and of no other. */
export function trustedScript(address: string, origin = new URL(import.meta.url).origin): string {
  scripts ??= policyOf('soundings-code', {
    createScriptURL: (text) => {
      if (new URL(text).origin !== origin) throw new TypeError('Code comes from its own place alone.');
      return text;
    },
  });
  return (scripts === null ? address : scripts.createScriptURL(address)) as string;
}

let documents: Policy | null | undefined;

/** A document that is parsed apart from the page, where nothing in it runs. */
export function trustedDocument(html: string): string {
  documents ??= policyOf('soundings-preview', { createHTML: (text) => text });
  return (documents === null ? html : documents.createHTML(html)) as string;
}
