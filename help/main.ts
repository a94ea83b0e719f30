// What a script adds to the pages of the help, which are all there without it: the search, the theme, buttons that copy, and a way by
// keyboard into what scrolls.

import { startSearch } from './search.ts';

startSearch();
startTheme();
startCopying();
startScrolling();

function startTheme(): void {
  const select = document.querySelector<HTMLSelectElement>('#theme')!;
  select.value = document.documentElement.dataset.theme ?? '';
  select.addEventListener('change', () => {
    const theme = select.value;
    if (theme === '') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    try {
      // The console keeps it under the same name.
      if (theme === '') localStorage.removeItem('soundings.theme');
      else localStorage.setItem('soundings.theme', theme);
    } catch {
      // A browser that keeps nothing asks again on the next page.
    }
  });
}

function startCopying(): void {
  // Browsers let pages copy over https and on this machine alone; elsewhere the text is marked and copied by hand.
  if (navigator.clipboard === undefined) return;
  const status = document.createElement('p');
  status.className = 'unseen';
  status.setAttribute('role', 'status');
  document.body.append(status);
  const copy = async (text: string, words: string): Promise<void> => {
    await navigator.clipboard.writeText(text);
    status.textContent = '';
    status.textContent = words;
  };
  for (const block of document.querySelectorAll<HTMLElement>('.code')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      const text = block.querySelector('code')!.textContent.replace(/\n$/, '');
      const isCopied = await copy(text, 'Copied').then(
        () => true,
        () => false,
      );
      button.textContent = isCopied ? 'Copied' : 'Not copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2_000);
    });
    block.append(button);
  }
  for (const anchor of document.querySelectorAll<HTMLAnchorElement>('a.anchor'))
    anchor.addEventListener('click', () => {
      copy(anchor.href, 'The link is copied').catch(() => {
        // The address bar has it too.
      });
    });
}

/** What scrolls sideways can be reached and has a name; what does not is no stop on the way through the page. */
function startScrolling(): void {
  const observer = new ResizeObserver((entries) => {
    for (const { target } of entries) mark(target as HTMLElement);
  });
  for (const part of document.querySelectorAll('.table, .code pre')) observer.observe(part);

  function mark(part: HTMLElement): void {
    if (part.scrollWidth > part.clientWidth) {
      part.tabIndex = 0;
      part.setAttribute('role', 'group');
      part.setAttribute(
        'aria-label',
        part.matches('.table') ? 'Table, scrolls sideways' : 'Code, scrolls sideways',
      );
    } else for (const name of ['tabindex', 'role', 'aria-label']) part.removeAttribute(name);
  }
}
