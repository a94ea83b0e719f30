// What a start says at a terminal, in six lines: what it is, where console, survey, API and data are, how to stop (D-890).

import { readDatabaseAddress } from '../../domain/database-address.ts';
import { programVersion } from '../../domain/version.ts';
import { storeFileOf } from '../../store/engine/sqlite/store-file.ts';

interface StartFacts {
  /** The one address that stands in every line. */
  readonly address: string;
  /** Where the console is, and how to come in. */
  readonly console: string;
  /** The address of a survey that can be answered; null where the store has none of the demo. */
  readonly survey: string | null;
  readonly databaseUrl: string;
  readonly managementUrl: string | null;
}

export function startLines(facts: StartFacts): readonly string[] {
  const { address, survey, managementUrl } = facts;
  return [
    `Soundings ${programVersion}: collects customer feedback and measures it`,
    `Console  ${facts.console}`,
    ...(survey === null ? [] : [`Survey   ${survey}`]),
    `API      ${survey === null ? `curl ${address}/livez` : answerByCurl(address)}`,
    `Data     ${placeOfData(facts.databaseUrl)}`,
    ...(managementUrl === null ? [] : [`Health   ${managementUrl}`]),
    'Stop     Ctrl-C',
  ];
}

/** An answer to a public survey of the demo, which needs no secret. */
function answerByCurl(address: string): string {
  const answer = { surveyDefinitionId: 'acme-badge-1', responses: { 'Q-STARS': ['5'] } };
  return `curl ${address}/v1/surveys/ingestion --json '${JSON.stringify(answer)}'`;
}

/** Without a user or a password. */
function placeOfData(databaseUrl: string): string {
  if (databaseUrl === 'sqlite::memory:') return 'in memory, lost when it stops';
  const file = storeFileOf(databaseUrl);
  if (file !== null) return file;
  const { hosts, database } = readDatabaseAddress(databaseUrl)!;
  return `PostgreSQL, database ${database} on ${hosts.join(' and ')}`;
}
