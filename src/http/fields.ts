// Pieces of schema that several routes share.

import Type from 'typebox';

export const Link = Type.Object({ rel: Type.String(), href: Type.String() });

export const Fault = Type.Object({
  field: Type.String({ description: 'The parameter, header or path within the body.' }),
  code: Type.String(),
  message: Type.String(),
});
