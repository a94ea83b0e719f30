/** A measure or project among those of its account. */
export interface SourceKey {
  readonly accountId: number;
  readonly sourceId: number;
}
