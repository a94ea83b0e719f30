/** Why something failed, in the first sentence of its error and without a full stop. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, errors } = error as { code?: string; errors?: unknown[] };
  // Node tries several addresses and joins the failures into one that has no words of its own.
  if (error.message === '' && Array.isArray(errors)) return reasonOf(errors[0]);
  return (error.message.split('\n')[0] ?? code ?? 'unknown').replace(/\.$/, '');
}
