// What responses arrive for.

export const sourceKinds = ['measure', 'project'] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** The first part of the paths of a kind. */
export const pathOfKind = { measure: 'measures', project: 'projects' } as const;
