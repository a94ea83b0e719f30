// A measure or project as the catalogue writes it, with the versions of its survey.

import { parseTimestamp } from '../dates.ts';
import type { Interruptible } from '../interruptible.ts';
import { phrase } from './catalogue-fault.ts';
import {
  aBoolean,
  anInteger,
  aText,
  aTextOrNone,
  type FileNode,
  type Keep,
  type Kind,
  oneOf,
} from './catalogue-file.ts';
import { readSurveys } from './catalogue-survey.ts';
import { channels, type Measure, type Project, projectStatuses, retainDaysMax } from './definition.ts';

export function* readMeasure(place: FileNode, keep: Keep): Interruptible<Measure> {
  const measure: Measure = {
    key: place.required('key', anInteger(1, 2 ** 31 - 1), 1),
    name: place.required('name', aText, ''),
    channel: place.optional('channel', oneOf(channels), 'WEB'),
    active: place.optional('active', aBoolean, true),
    ...readRetainDays(place, daysOrForever),
    surveys: yield* readSurveys(place, 'measure', keep),
  };
  return keep(measure, place);
}

export function* readProject(place: FileNode, keep: Keep): Interruptible<Project> {
  const project: Project = {
    id: place.required('id', anInteger(1, Number.MAX_SAFE_INTEGER), 1),
    name: place.required('name', aText, ''),
    description: place.optional('description', aTextOrNone, ''),
    siteKey: place.optional('siteKey', aTextOrNone, ''),
    status: place.optional('status', oneOf(projectStatuses), 'ACTIVE'),
    createdDateTime: place.optional('createdDateTime', aMoment, null),
    ...readRetainDays(place, daysOrForever),
    surveys: yield* readSurveys(place, 'project', keep),
  };
  return keep(project, place);
}

export const someDays = anInteger(1, retainDaysMax);

/** Like limits: what is not said stays as it is, and null takes it away (D-271). */
export function readRetainDays<T>(place: FileNode, kind: Kind<T>): { retainDays?: T | null } {
  if (!place.has('retainDays')) return {};
  return { retainDays: place.at('retainDays').isNull() ? null : place.optional('retainDays', kind, null) };
}

const daysOrForever = {
  called: phrase('aNumberOrForever', { number: someDays.called }),
  read: (value: unknown) => (value === 'forever' ? ('forever' as const) : someDays.read(value)),
};

// Kept in one form, so that writing the same moment with another offset is no change.
const aMoment = {
  called: phrase('aMoment'),
  read: (value: unknown) => {
    const moment = typeof value === 'string' ? parseTimestamp(value) : null;
    return moment === null ? undefined : new Date(moment).toISOString();
  },
};
