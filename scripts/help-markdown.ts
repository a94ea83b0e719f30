// How a page of docs/ becomes HTML: headings with addresses, links to other pages as links to their place in the help, and no
// HTML of its own but escaped.

import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Marked } from 'marked';
import { escaped } from '../src/domain/pages/html.ts';

export interface Heading {
  readonly depth: number;
  readonly id: string;
  readonly text: string;
}

/** What the search knows of a page: its text, cut at its headings. */
interface Section {
  readonly id: string;
  readonly heading: string;
  readonly text: string;
}

export interface RenderedPage {
  readonly title: string;
  readonly description: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
}

interface MarkdownPage {
  readonly file: string;
  readonly text: string;
  readonly hasNamedRows: boolean;
}

export interface Site {
  readonly root: string;
  /** The address of a file that has a page. */
  addressOf(file: string): string | null;
  /** What a page is called elsewhere in the help. */
  titleOf(file: string): string | null;
  /** The address and size of a picture. */
  imageOf(file: string): { readonly url: string; readonly width: number; readonly height: number } | null;
  /** Whether the ledger has a row of this number. */
  hasDecision(number: string): boolean;
  /** Is told what is wrong with a page; the page is made all the same. */
  warn(words: string): void;
}

/** As far as it is used here: marked's own type is a union of two dozen. */
interface Token {
  readonly type: string;
  readonly text?: string;
  readonly tokens?: readonly Token[];
}
/** What marked hands to the functions that draw. */
interface Drawing {
  readonly parser: { parseInline(tokens: readonly Token[]): string };
}
interface HeadingToken {
  readonly depth: number;
  readonly tokens: readonly Token[];
}
interface LinkToken {
  readonly href: string;
  readonly tokens: readonly Token[];
}
interface TextToken extends Token {
  readonly text: string;
}
interface Cell {
  readonly tokens: readonly Token[];
}
interface TableToken {
  readonly header: readonly Cell[];
  readonly rows: readonly (readonly Cell[])[];
}

const decisionNumber = /\bD-\d+b?\b/g;

export function renderMarkdown({ file, text, hasNamedRows }: MarkdownPage, site: Site): RenderedPage {
  const ids = new Set<string>();
  const headings: Heading[] = [];
  let isInLink = false;
  // Made once, in the order of the page, so that what the search knows and what is drawn have the same addresses.
  const named = new Map<object, string>();

  const renderer = {
    heading(this: Drawing, { tokens, depth }: HeadingToken): string {
      const plain = plainText(tokens);
      const id = idFor(plain);
      named.set(tokens, id);
      headings.push({ depth, id, text: plain });
      const inner = `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>`;
      if (depth === 1) return `${inner}\n`;
      return `<div class="heading">${inner}<a class="anchor" href="#${id}" aria-label="Link to “${escaped(plain)}”">#</a></div>\n`;
    },
    link(this: Drawing, { href, tokens }: LinkToken): string {
      const wasInLink = isInLink;
      isInLink = true;
      const inner = this.parser.parseInline(tokens);
      isInLink = wasInLink;
      const target = targetOf(href);
      // A page that is called by its file has a title here.
      const title = /^[\w./-]+\.md$/.test(plainText(tokens)) ? site.titleOf(fileOf(href)) : null;
      if (title !== null && target !== null) return `<a href="${escaped(target)}">${escaped(title)}</a>`;
      if (target === null) return `<span class="file">${inner}</span>`;
      return `<a href="${escaped(target)}">${inner}</a>`;
    },
    image({ href, text: words }: { href: string; text: string }): string {
      const image = site.imageOf(posix.join(posix.dirname(file), href));
      if (image === null) return escaped(words);
      const { url, width, height } = image;
      return `<a class="picture" href="${url}"><img src="${url}" width="${width}" height="${height}" alt="${escaped(words)}" loading="lazy"></a>`;
    },
    code({ text: code, lang }: { text: string; lang?: string }): string {
      const language = /^[\w-]+$/.test(lang ?? '') ? ` data-language="${lang}"` : '';
      return `<div class="code"${language}><pre><code>${escaped(code)}\n</code></pre></div>\n`;
    },
    codespan({ text: code }: TextToken): string {
      const inner = `<code>${escaped(code)}</code>`;
      const address = isInLink || !/^[\w./-]+\.md$/.test(code) ? null : site.addressOf(code);
      return address === null ? inner : `<a href="${address}">${inner}</a>`;
    },
    text(this: Drawing, token: TextToken): string {
      if (token.tokens !== undefined) return this.parser.parseInline(token.tokens);
      const html = token.type === 'escape' ? escaped(token.text) : escapedOnce(token.text);
      if (isInLink) return html;
      return html.replaceAll(decisionNumber, (number) =>
        site.hasDecision(number) ? `<a href="/help/decisions#${number.toLowerCase()}">${number}</a>` : number,
      );
    },
    // What looks like HTML is text: pages of docs/ have none of their own.
    html({ text: html }: TextToken): string {
      return escaped(html);
    },
    table(this: Drawing, { header, rows }: TableToken): string {
      const hasRowHeaders = header[0]?.tokens.length === 0;
      const cell = (tokens: readonly Token[], name: 'th' | 'td', scope: string): string =>
        `<${name}${name === 'th' ? ` scope="${scope}"` : ''}>${this.parser.parseInline(tokens)}</${name}>`;
      const head = header
        .map(({ tokens }) => (tokens.length === 0 ? '<td></td>' : cell(tokens, 'th', 'col')))
        .join('');
      const body = rows.map((row) => {
        const id = rowId(row);
        const cells = row.map(({ tokens }, index) =>
          cell(tokens, index === 0 && hasRowHeaders && tokens.length > 0 ? 'th' : 'td', 'row'),
        );
        return `<tr${id === null ? '' : ` id="${id}"`}>${cells.join('')}</tr>`;
      });
      // Some tables have rows with names and no names of columns.
      const isHeadless = header.every(({ tokens }) => tokens.length === 0);
      const top = isHeadless ? '' : `<thead><tr>${head}</tr></thead>\n`;
      return `<div class="table scroll"><table>\n${top}<tbody>\n${body.join('\n')}\n</tbody></table></div>\n`;
    },
  };

  const marked = new Marked({ gfm: true, renderer });
  const tokens = marked.lexer(text);
  const html = marked.parser(tokens);
  const [title] = headings;
  const first = tokens.find(({ type }) => type === 'paragraph');
  return {
    title: title?.text ?? posix.basename(file),
    description: first === undefined ? '' : plainText([first]).slice(0, 200),
    html,
    headings,
    sections: sectionsOf(tokens),
  };

  /** As the pages of the project name them, so that their links hold here and there. */
  function idFor(words: string): string {
    const wanted =
      words
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-') || 'section';
    let id = wanted;
    for (let count = 1; ids.has(id); count++) id = `${wanted}-${count}`;
    ids.add(id);
    return id;
  }

  /** Of a row that begins with a name alone, such as a setting, an error code or the number of a decision. */
  function rowId(row: readonly Cell[]): string | null {
    const [first] = row;
    if (!hasNamedRows || first === undefined) return null;
    const name = plainText(first.tokens);
    if (!/^[\w-]+$/.test(name)) return null;
    const known = named.get(row);
    if (known !== undefined) return known;
    const id = idFor(name);
    named.set(row, id);
    return id;
  }

  function fileOf(href: string): string {
    return posix.join(posix.dirname(file), href.split('#')[0]!);
  }

  function targetOf(href: string): string | null {
    if (/^https?:\/\//.test(href)) return href;
    if (href.startsWith('#')) return href;
    if (/^[a-z][a-z\d+.-]*:/i.test(href) || href.startsWith('/')) return null;
    const anchor = href.split('#')[1];
    const address = site.addressOf(fileOf(href));
    if (address !== null) return anchor === undefined ? address : `${address}#${anchor}`;
    if (!existsSync(join(site.root, fileOf(href))))
      site.warn(`${file} links to ${href}, which is not there.`);
    return null;
  }

  function sectionsOf(all: readonly Token[]): readonly Section[] {
    const sections: { id: string; heading: string; texts: string[] }[] = [];
    for (const token of all) {
      if (token.type === 'heading') {
        const isFirst = sections.length === 0;
        const tokens = token.tokens ?? [];
        sections.push({ id: isFirst ? '' : named.get(tokens)!, heading: plainText(tokens), texts: [] });
        continue;
      }
      const rest = token.type === 'table' ? restOfTable(token as unknown as TableToken) : plainText([token]);
      sections.at(-1)?.texts.push(rest);
    }
    const rows = all.filter(({ type }) => type === 'table').flatMap((table) => namedRows(table));
    return [
      ...sections.map(({ id, heading, texts }) => ({ id, heading, text: inOneLine(texts.join(' ')) })),
      ...rows,
    ];
  }

  function namedRows(table: Token): readonly Section[] {
    return (table as unknown as TableToken).rows.flatMap((row) => {
      const id = rowId(row);
      if (id === null) return [];
      const [name, ...others] = row.map(({ tokens }) => plainText(tokens));
      return [{ id, heading: name!, text: inOneLine(others.join(' · ')) }];
    });
  }

  /** Rows that are found by themselves are not found twice. */
  function restOfTable({ header, rows }: TableToken): string {
    const rest = rows.filter((row) => rowId(row) === null);
    return [header, ...rest].map((row) => row.map(({ tokens }) => plainText(tokens)).join(' · ')).join(' ');
  }
}

/** Texts come with entities in them where the page wrote them so; what is an entity already stays one. */
function escapedOnce(text: string): string {
  return escaped(text).replaceAll(/&amp;(#\d+|#x[\da-f]+|\w+);/gi, '&$1;');
}

function plainText(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === 'table') {
        const { header, rows } = token as unknown as TableToken;
        return [header, ...rows]
          .map((row) => row.map((cell) => plainText(cell.tokens)).join(' · '))
          .join(' ');
      }
      if (token.type === 'list')
        return (token as unknown as { items: readonly Cell[] }).items
          .map((item) => plainText(item.tokens))
          .join(' ');
      if (token.type === 'space' || token.type === 'br') return ' ';
      return token.tokens === undefined ? (token.text ?? '') : plainText(token.tokens);
    })
    .join('');
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
