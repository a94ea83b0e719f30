// The fields of an ingestion body that are the same for every survey and are shown as passed parameters
// (D-37), in the order of their names, because that is the order in which they are shown (D-36).

type StandardKind = 'text' | 'integer' | 'boolean';

export interface StandardField {
  readonly name: string;
  readonly kind: StandardKind;
  /** The object of the body that holds it; '' for the body itself. */
  readonly parent: '' | 'deviceDetails' | 'integrations';
  /** Place in the order of names. */
  readonly slot: number;
}

const kinds: Record<StandardField['parent'], Record<StandardKind, readonly string[]>> = {
  '': {
    text: ['url', 'locale', 'referrer', 'referrerUrl', 'pageVisits'],
    integer: ['completionTimeInMs'],
    boolean: [],
  },
  deviceDetails: {
    text: [
      'deviceType',
      'deviceName',
      'deviceVersion',
      'brandName',
      'browser',
      'browserName',
      'browserVersion',
      'os',
      'osName',
      'osVersion',
      'resolution',
      'browserVendor',
      'screen',
      'wurflId',
      'pointingMethod',
    ],
    integer: ['screenWidth', 'screenHeight', 'resolutionWidth', 'resolutionHeight'],
    boolean: ['isDualOrientation', 'isTablet'],
  },
  integrations: { text: ['googleAnalyticsId'], integer: [], boolean: [] },
};

export const standardFields: readonly StandardField[] = Object.entries(kinds)
  .flatMap(([parent, byKind]) =>
    Object.entries(byKind).flatMap(([kind, names]) =>
      names.map((name) => ({ name, kind: kind as StandardKind, parent: parent as StandardField['parent'] })),
    ),
  )
  .sort((one, other) => (one.name < other.name ? -1 : 1))
  .map((field, slot) => ({ ...field, slot }));

/** How a fault names the field: `deviceDetails.os`. */
export function pathOf({ parent, name }: StandardField): string {
  return parent === '' ? name : `${parent}.${name}`;
}

/** Those of the interface's int64. */
export const integerFields: readonly StandardField[] = standardFields.filter(
  ({ kind }) => kind === 'integer',
);

/** The slot of each standard field, by its name. */
export const standardSlots: ReadonlyMap<string, number> = new Map(
  standardFields.map(({ name, slot }) => [name, slot]),
);

/** The fields of one object of the body, by name. */
export function fieldsOf(parent: StandardField['parent']): ReadonlyMap<string, StandardField> {
  return new Map(
    standardFields.filter((field) => field.parent === parent).map((field) => [field.name, field]),
  );
}
