// One thing that "soundings doctor" has looked at.

export interface Finding {
  readonly check: string;
  readonly isRight: boolean;
  /** Not wrong by itself, and probably not what was meant. */
  readonly isWarning?: true;
  readonly says: string;
}
