export function noteStatements(
  Connection: { readonly prototype: object },
  folder: string,
  isOurs?: () => boolean,
): void;
