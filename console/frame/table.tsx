// A table of figures or things.

import type { ComponentChildren, JSX } from 'preact';

export interface Column<Row> {
  readonly title: string;
  /** Only read out, as of a column of buttons. */
  readonly isTitleUnseen?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
  /** Figures stand at the end of their cell, one above the other. */
  readonly isNumber?: boolean;
  /** Where the cells of a row are stacked, it has a line of its own. */
  readonly isLong?: boolean;
  /** The row is called by it. */
  readonly isHead?: boolean;
}

interface DataTableProps<Row> {
  /** Read out before the table; seen only where it says so. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf?: (row: Row) => string | number;
  /** In place of the rows where there are none. */
  readonly empty?: ComponentChildren;
  /** Its cells are long, so that it needs as much room as one with more columns. */
  readonly isLong?: boolean;
  /** Below the last column. */
  readonly sum?: { readonly title: string; readonly value: string } | null;
}

/** Where they do not fit beside each other, the cells of a row stand below its name, each with the title of its column. */
function stacking(columns: number): string {
  if (columns > 8) return 'stacks soon many';
  if (columns > 6) return 'stacks soon';
  return columns > 3 ? 'stacks' : '';
}

/** It scrolls sideways where it is wider than its place, by keyboard too. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  empty,
  isLong = false,
  sum = null,
}: DataTableProps<Row>): JSX.Element {
  if (rows.length === 0 && empty !== undefined) return <div class="empty">{empty}</div>;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark beside the panel of the same name
    <div class="scroll" role="group" aria-label={caption} tabIndex={0}>
      <table class={`table ${stacking(columns.length + (isLong ? 4 : 0))}`}>
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
              {columns.map(({ title, isTitleUnseen = false, isLong: long = false, ...column }) =>
                column.isHead === true ? (
                  <th scope="row">{column.cell(row)}</th>
                ) : (
                  <td
                    class={`${column.isNumber === true ? 'number' : ''} ${long ? 'long' : ''}`}
                    data-title={isTitleUnseen ? undefined : title}
                  >
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
        {sum !== null && (
          <tfoot>
            <tr>
              <th scope="row" colSpan={columns.length - 1}>
                {sum.title}
              </th>
              <td class="number">
                <strong>{sum.value}</strong>
              </td>
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  );
}
