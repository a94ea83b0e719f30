// The whole numbers of 64 bits that the interface calls int64. A JavaScript number holds those up to 2^53 - 1 alone (D-886).

export const int64Words = 'a whole number from -9223372036854775808 to 9223372036854775807';

export function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value;
}
