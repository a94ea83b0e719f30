// What a page asks for first. The server puts the answers into its HTML, and the page takes them from there; both know the requests
// from the files of this folder.

import type { PageName } from '../page-paths.ts';
import type { AddressParts } from '../request-path.ts';
import type { ViewAddress } from '../view-address.ts';

/** Where a page is opened. */
export interface PagePlace {
  /** Of its path, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** Of its address. */
  readonly query: URLSearchParams;
  /** Range, comparison and filters of its address. */
  readonly view: ViewAddress;
}

/** The key of an operation of the console and its input; an input of null asks for nothing. */
export type PreloadRequest = readonly [key: `GET ${string}`, input?: AddressParts | null];

type PagePreload = (place: PagePlace) => Readonly<Record<string, PreloadRequest>>;

/** Of the pages of an area. */
export type PagePreloads = Readonly<Partial<Record<PageName, PagePreload>>>;

/** A parameter of the address, as a query takes it. */
export function said(query: URLSearchParams, name: string): string | undefined {
  return query.get(name) ?? undefined;
}
