// The definitions file: what an operator writes, read in full or refused with every fault and its line. A document of it
// is an account, or a list of them under `accounts`; catalogue-documents.ts cuts a file into documents, the versions of a
// survey are read in catalogue-survey.ts, and what a file would change is in catalogue-change.ts.

import { type AccountLimits, accountIdMax, limitMaxima, limitNames } from '../access/account.ts';
import { connectionFaults, connectionsPerAccount, usualSubjectClaim } from '../access/connection.ts';
import { inOneGo } from '../interruptible.ts';
import { eventTypes } from '../webhooks/event-types.ts';
import { urlFault, webhookNameMax, webhooksPerAccount } from '../webhooks/webhook.ts';
import { type CatalogueFault, inFileOrder, type Phrase, phrase } from './catalogue-fault.ts';
import {
  anInteger,
  aText,
  distinct,
  type FileNode,
  type Keep,
  type LineOf,
  oneOf,
  readEachInPieces,
} from './catalogue-file.ts';
import { readMeasure, readProject, readRetainDays, someDays } from './catalogue-source.ts';
import { openFile } from './catalogue-yaml.ts';
import {
  type AccountInsight,
  type Catalogue,
  type CatalogueAccount,
  type CatalogueConnection,
  type CatalogueWebhook,
  insightMinimumMax,
} from './definition.ts';

export type { CatalogueFault } from './catalogue-fault.ts';
export type { LineOf } from './catalogue-file.ts';

export type CatalogueReading =
  | { readonly catalogue: Catalogue; readonly lineOf: LineOf; readonly faults: readonly [] }
  | { readonly catalogue: null; readonly faults: readonly CatalogueFault[] };

interface ReadingOptions {
  /** The line of the file in which the document begins. */
  readonly firstLine?: number;
  /** Only this account is read, and what is wrong with others is not looked at. */
  readonly accountId?: number | null;
}

/** Reads a document, YAML or JSON. Either all of it is right, or every fault is listed in the file's order. */
export function readCatalogue(
  text: string,
  { firstLine = 1, accountId = null }: ReadingOptions = {},
): CatalogueReading {
  const faults: CatalogueFault[] = [];
  const lines = new WeakMap<object, number>();
  const keep: Keep = (entry, place) => {
    lines.set(entry, place.line);
    return entry;
  };
  const root = openFile(text, faults, firstLine);
  let accounts: CatalogueAccount[] = [];
  if (root?.isObject()) {
    const places = accountPlaces(root).filter(
      (place) => accountId === null || place.peek('id') === accountId,
    );
    accounts = places.flatMap((account) => account.read((place) => readAccount(place, keep)));
    const uniqueAccounts = distinct('accountIdTaken');
    const uniqueSurveys = distinct('surveyIdTaken');
    for (const place of places) {
      uniqueAccounts(place, 'id');
      for (const survey of surveyPlaces(place)) uniqueSurveys(survey, 'id');
    }
  }
  if (faults.length > 0) {
    return { catalogue: null, faults: inFileOrder(faults) };
  }
  return { catalogue: { accounts }, lineOf: (entry) => lines.get(entry) ?? 0, faults: [] };
}

/** The accounts of a document: those in its list, or the document itself. */
function accountPlaces(root: FileNode): readonly FileNode[] {
  // Editors of JSON find the schema by this member; it says nothing to us.
  root.optional('$schema', aText, '');
  const names = root.names();
  if (!names.includes('accounts') && accountMembers.some((name) => names.includes(name))) return [root];
  if (!root.has('accounts'))
    root.fault(phrase('missing', { member: 'accounts', kind: phrase('aListOfAccounts') }));
  const places = root.list('accounts');
  root.refuseOthers();
  return places;
}

function* surveyPlaces(account: FileNode): Generator<FileNode> {
  for (const source of [...account.list('measures'), ...account.list('projects')]) {
    yield* source.list('surveys');
  }
}

const accountMembers = [
  'id',
  'name',
  'limits',
  'retainDays',
  'insight',
  'webhooks',
  'connections',
  'measures',
  'projects',
];

function readAccount(place: FileNode, keep: Keep): CatalogueAccount {
  const measurePlaces = place.list('measures');
  const projectPlaces = place.list('projects');
  const account: CatalogueAccount = {
    id: place.required('id', anInteger(1, accountIdMax), 1),
    name: place.required('name', aText, ''),
    ...(place.has('limits') && { limits: readLimits(place) }),
    ...readRetainDays(place, someDays),
    ...(place.has('insight') && { insight: readInsight(place) }),
    ...(place.has('webhooks') && { webhooks: readWebhooks(place) }),
    ...(place.has('connections') && { connections: readConnections(place) }),
    measures: inOneGo(readEachInPieces(measurePlaces, (measure) => readMeasure(measure, keep))),
    projects: inOneGo(readEachInPieces(projectPlaces, (project) => readProject(project, keep))),
  };
  // Unique in the account (D-47); a measure and a project may share a number.
  const uniqueMeasures = distinct('measureKeyTaken');
  const uniqueProjects = distinct('projectIdTaken');
  for (const measure of measurePlaces) uniqueMeasures(measure, 'key');
  for (const project of projectPlaces) uniqueProjects(project, 'id');
  return keep(account, place);
}

/** Without their secrets: those are made by a command, and shown once (D-242). */
function readWebhooks(account: FileNode): readonly CatalogueWebhook[] {
  const places = account.list('webhooks');
  if (places.length > webhooksPerAccount)
    account.at('webhooks').fault(phrase('tooManyEntries', { list: 'webhooks', most: webhooksPerAccount }));
  const uniqueNames = distinct('webhookNameTaken');
  for (const place of places) uniqueNames(place, 'name');
  const webhooks = places.flatMap((place) => place.read(readWebhook));
  return webhooks.sort((one, other) => (one.name < other.name ? -1 : 1));
}

function readWebhook(place: FileNode): CatalogueWebhook {
  const events = place.list('events').map((event) => event.value(oneOf(eventTypes), eventTypes[0]));
  return {
    name: place.required('name', aWebhookName, ''),
    url: place.required('url', aReceiver, ''),
    // Without a word it hears of everything.
    events: events.length === 0 ? eventTypes : eventTypes.filter((type) => events.includes(type)),
  };
}

const aWebhookName = {
  called: phrase('aShortText', { most: webhookNameMax }),
  read: (value: unknown) =>
    typeof value === 'string' && value.trim() !== '' && value.length <= webhookNameMax
      ? value.trim()
      : undefined,
};

/** Without their secrets, which are set by a command (D-359). */
function readConnections(account: FileNode): readonly CatalogueConnection[] {
  const places = account.list('connections');
  if (places.length > connectionsPerAccount)
    account
      .at('connections')
      .fault(phrase('tooManyEntries', { list: 'connections', most: connectionsPerAccount }));
  const uniqueNames = distinct('connectionNameTaken');
  for (const place of places) uniqueNames(place, 'name');
  const connections = places.flatMap((place) => place.read(readConnection));
  return connections.sort((one, other) => (one.name < other.name ? -1 : 1));
}

function readConnection(place: FileNode): CatalogueConnection {
  return {
    name: place.required('name', aFact('name', phrase('aShortText', { most: 255 })), ''),
    issuer: place.required('issuer', aFact('issuer', phrase('anIssuer')), ''),
    clientId: place.required('clientId', aFact('clientId', phrase('aTextWithoutSpaces')), ''),
    subjectClaim: place.has('subjectClaim')
      ? place.required('subjectClaim', aFact('subjectClaim', phrase('aClaimName')), '')
      : usualSubjectClaim,
  };
}

function aFact(name: keyof CatalogueConnection, called: Phrase) {
  return {
    called,
    read: (value: unknown) =>
      typeof value === 'string' && connectionFaults({ [name]: value }).length === 0
        ? value.trim()
        : undefined,
  };
}

const aReceiver = {
  called: phrase('aReceiver'),
  read: (value: unknown) =>
    typeof value === 'string' && urlFault(value, true) === null ? new URL(value).href : undefined,
};

/** Limits that are named with nothing under them are none: those of the settings hold again (D-213). */
function readLimits(account: FileNode): AccountLimits | null {
  if (account.at('limits').isNull()) return null;
  const place = account.object('limits');
  if (place === null) return null;
  const limits: Record<string, number> = {};
  for (const name of limitNames) {
    const value = place.optional(name, anInteger(1, limitMaxima[name]), null);
    if (value !== null) limits[name] = value;
  }
  place.refuseOthers();
  return Object.keys(limits).length === 0 ? null : limits;
}

/** Like limits: what is not said stays as it is, and null takes it away. A minimum of 1 withholds nothing (D-504). */
function readInsight(account: FileNode): AccountInsight | null {
  if (account.at('insight').isNull()) return null;
  const place = account.object('insight');
  if (place === null) return null;
  const minimum = place.optional('minimum', anInteger(1, insightMinimumMax), 1);
  place.refuseOthers();
  return minimum === 1 ? null : { minimum };
}
