// Elements of the page around are members of its document and of its window, under their name or id: `<img name="body">` hides
// `document.body`, `<a id="addEventListener">` hides what the window has of EventTarget. Whoever may only write HTML there must
// not decide what our scripts read, so members are taken from the prototypes, where no element is (D-867).

type Method = (...given: unknown[]) => unknown;

export const page: Document = new Proxy(Document.prototype, {
  get(members, name) {
    const member = Reflect.get(members, name, document) as Method | { readonly bind?: undefined } | null;
    // Functions have a bind, elements have not.
    return member?.bind?.(document) ?? member;
  },
});

/** Called by these names alone, they are about the window. */
export const { addEventListener, removeEventListener } = EventTarget.prototype;

/** What a script has put into the window, or the browser: nothing that is there by its name or id. */
export function ofWindow(name: string): unknown {
  return Object.hasOwn(window, name) ? window[name as 'name'] : undefined;
}

/** Behind the address of the survey's script, where it runs in somebody else's page: no form of that page is a survey. */
export const embeddedMark = '#embedded';
