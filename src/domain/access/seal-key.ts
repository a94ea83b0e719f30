// The form of SOUNDINGS_SEAL_KEY: keys of 32 bytes as base64, separated by commas. The first one seals, all of them open.

const keyText = /^[A-Za-z0-9+/_-]{43}=?$/;
const keyBytes = 32;
const keysMax = 20;

/** Null where it is something else; an empty list where there is none. */
export function readSealKeys(text: string): readonly Buffer[] | null {
  if (text.trim() === '') return [];
  const parts = text.split(/[\s,]+/).filter((part) => part !== '');
  const keys = parts.filter((part) => keyText.test(part)).map((part) => Buffer.from(part, 'base64'));
  const areValid = keys.length === parts.length && keys.every((key) => key.length === keyBytes);
  return areValid && keys.length <= keysMax ? keys : null;
}
