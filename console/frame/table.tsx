// A table of figures or things.

import type { ComponentChildren, JSX } from 'preact';

export interface Column<Row> {
  readonly title: string;
  /** Only read out, as of a column of buttons. */
  readonly isTitleUnseen?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
  /** Figures stand at the end of their cell, one above the other. */
  readonly isNumber?: boolean;
  /** The row is called by it. */
  readonly isHead?: boolean;
}

export interface DataTableProps<Row> {
  /** Read out before the table; seen only where it says so. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf?: (row: Row) => string | number;
  /** In place of the rows where there are none. */
  readonly empty?: ComponentChildren;
}

/** It scrolls sideways where it is wider than its place, by keyboard too. */
export function DataTable<Row>({ caption, columns, rows, keyOf, empty }: DataTableProps<Row>): JSX.Element {
  if (rows.length === 0 && empty !== undefined) return <div class="empty">{empty}</div>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark beside the panel of the same name
    <div class="scroll" role="group" aria-label={caption} tabIndex={0}>
      <table class="table">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ title, isNumber = false, isTitleUnseen = false }) => (
              <th scope="col" class={isNumber ? 'number' : ''}>
                {isTitleUnseen ? <span class="unseen">{title}</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={keyOf?.(row) ?? index}>
              {columns.map(({ cell, isNumber = false, isHead = false }) =>
                isHead ? (
                  <th scope="row">{cell(row)}</th>
                ) : (
                  <td class={isNumber ? 'number' : ''}>{cell(row)}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
