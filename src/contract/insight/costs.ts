// What it will take to read the data of a range, page by page.

import { sampledRowsMax } from '../../domain/insight/pull-cost.ts';
import { DateText } from '../feedback/response-row.ts';
import { Type } from '../schema.ts';

export const PullCost = Type.Object(
  {
    from: DateText,
    to: DateText,
    rows: Type.Integer({ description: 'Responses of the range, erased ones included; counted.' }),
    pages: Type.Integer({ description: 'Pages of data that have rows, of the size that was asked for.' }),
    requests: Type.Integer({ description: 'One for each page, and one where there is none.' }),
    bytes: Type.Object({
      estimate: Type.Integer({ description: 'Bodies of all pages together.' }),
      of: Type.Literal('uncompressed JSON'),
      sampled: Type.Integer({
        description: `So many rows were read for it, ${sampledRowsMax} at most, spread evenly over the range. Where these are all rows, the bytes are exact.`,
      }),
    }),
  },
  { $id: 'PullCost' },
);
