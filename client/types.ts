// Names for what the document describes, so that nobody has to spell where it stands there.

import type { components, operations } from './api.ts';
import type { ExportedPlace } from './export.ts';

type Schemas = components['schemas'];
type Operation = keyof operations;

/** The parameters of an operation, each of which may be left undefined. */
export type Query<Name extends Operation> = Loose<NonNullable<operations[Name]['parameters']['query']>>;
type Loose<T> = { readonly [Key in keyof T]: undefined extends T[Key] ? T[Key] | undefined : T[Key] };

export type SurveyResponse = Schemas['SurveyResponse'];
export type IngestionResult = Schemas['IngestionResult'];

export type Measure = Schemas['MeasuresList']['items'][number];
export type MeasureDefinition = Schemas['MeasureDefinition'];
export type MeasureData = Schemas['MeasureData'];
export type Respondent = MeasureData['items'][number];
export type ExportedRespondent = Respondent & ExportedPlace;
export type MeasureChanges = Schemas['MeasureChanges'];
export type MeasureChange = MeasureChanges['items'][number];
export type MeasureComments = Schemas['MeasureComments'];
export type MeasureComment = MeasureComments['items'][number];

export type Project = Schemas['Project'];
export type ProjectData = Schemas['ProjectData'];
export type ProjectEntry = ProjectData['items'][number];
export type ExportedEntry = ProjectEntry & ExportedPlace;
export type ProjectChanges = Schemas['ProjectChanges'];
export type ProjectChange = ProjectChanges['items'][number];
export type ProjectComments = Schemas['ProjectComments'];
export type ProjectComment = ProjectComments['items'][number];

export type User = Schemas['ScimUser'];
export type Group = Schemas['ScimGroup'];
export type BulkResult = Schemas['BulkAnswer']['Operations'][number];
export type BulkOperation = Schemas['BulkRequest']['Operations'][number];

export type { components, operations };
