// A large JSON value as text, in pieces: one call of JSON.stringify for all of it would hold up everybody else.

/** As JSON.stringify with two spaces writes it; members of objects so many levels down are a piece each. */
export function* jsonPieces(value: unknown, levels: number, indent = ''): Generator<string, void, void> {
  const isSplit = levels > 0 && typeof value === 'object' && value !== null && !Array.isArray(value);
  const members = isSplit ? Object.entries(value).filter(([, member]) => member !== undefined) : [];
  if (members.length === 0) {
    // Within texts a line break is escaped, so that these are all between members.
    yield JSON.stringify(value, null, 2).replaceAll('\n', `\n${indent}`);
    return;
  }
  const inner = `${indent}  `;
  for (const [at, [name, member]] of members.entries()) {
    yield `${at === 0 ? '{' : ','}\n${inner}${JSON.stringify(name)}: `;
    yield* jsonPieces(member, levels - 1, inner);
  }
  yield `\n${indent}}`;
}
