// The list of a file of invitations: a header with the names of custom parameters, then a line for each person. Every fault is
// named with its line, in one reading, up to a bound. A file of links that was written before can be the list of reminders:
// its invitationId stays, so that one person still answers once, and its old link and end are left out (D-448).

import type { SurveyDefinition } from '../feedback/definition.ts';
import type { ParameterLimits } from '../feedback/parameters.ts';
import {
  isInvitationId,
  lengthFault,
  type ParameterFinder,
  parameterFinder,
  valueFaults,
} from './invitation.ts';

export interface InvitationLine {
  readonly line: number;
  /** Null where the list says none. */
  readonly invitationId: string | null;
  /** In the order of `columns`, as they were written. */
  readonly cells: readonly string[];
}

interface InvitationFault {
  readonly line: number;
  readonly message: string;
}

export const addedColumns = ['invitationId', 'link', 'expires'] as const;
/** More than any survey declares. */
const columnsMax = 1_000;
const faultsKept = 1_000;

interface ListOf {
  readonly definition: SurveyDefinition;
  readonly base: string;
  readonly limits: ParameterLimits;
  /** Columns that come to the links and are not passed, such as the address of a mail. */
  readonly copied: ReadonlySet<string>;
}

export class InvitationLines {
  readonly faults: InvitationFault[] = [];
  /** All of them, also those that are not kept. */
  faultCount = 0;
  count = 0;
  /** The columns of the list without those that are added. */
  columns: readonly string[] = [];
  readonly #of: ListOf;
  readonly #take: (line: InvitationLine) => void;
  readonly #findParameter: ParameterFinder;
  #header: readonly string[] | null = null;
  #isReadable = true;
  #idPlace = -1;
  /** Where the columns stand in a line, and which parameters they are. */
  #places: readonly number[] = [];
  #names: readonly (string | null)[] = [];

  constructor(of: ListOf, take: (line: InvitationLine) => void) {
    this.#of = of;
    this.#take = take;
    this.#findParameter = parameterFinder(of.definition);
  }

  record(record: readonly string[], line: number): void {
    if (this.#header === null) this.#readHeader(record, line);
    else this.#readLine(this.#header, record, line);
  }

  end(): void {
    if (this.#header === null) this.fault(1, 'The list is empty; it begins with a line of column names.');
    else if (this.count === 0 && this.faultCount === 0) this.fault(2, 'The list names nobody.');
  }

  /** The parameters of a line; an empty cell passes nothing. */
  parametersOf({ cells }: InvitationLine): Readonly<Record<string, string>> {
    return Object.fromEntries(
      cells.flatMap((cell, place) => {
        const name = this.#names[place] ?? null;
        return cell === '' || name === null ? [] : [[name, cell] as const];
      }),
    );
  }

  #readHeader(header: readonly string[], line: number): void {
    this.#header = header;
    if (header.length > columnsMax) {
      this.#isReadable = false;
      return this.fault(line, `There are more than ${columnsMax} columns.`);
    }
    const { copied } = this.#of;
    const seen = new Set<string>();
    const names = new Set<string>();
    const places: number[] = [];
    for (const [place, column] of header.entries()) {
      if (seen.has(column)) this.fault(line, `The column "${short(column)}" stands there twice.`);
      else if (column === 'invitationId') this.#idPlace = place;
      else if (column !== 'link' && column !== 'expires') {
        const name = this.#nameOf(column);
        if (copied.has(column)) places.push(place);
        else if (name === null) this.fault(line, this.#notDeclared(column, header));
        else if (names.has(name))
          this.fault(line, `The columns before "${short(column)}" hold that parameter already.`);
        else places.push(place);
        names.add(name ?? column);
      }
      seen.add(column);
    }
    for (const column of copied)
      if (!seen.has(column)) this.fault(line, `There is no column "${short(column)}" to copy.`);
    this.#places = places;
    this.columns = places.map((place) => header[place]!);
    this.#names = this.columns.map((column) => this.#nameOf(column));
  }

  /** Of the parameter that a column passes; null where it passes none. */
  #nameOf(column: string): string | null {
    return this.#of.copied.has(column) ? null : this.#findParameter(column);
  }

  #notDeclared(column: string, header: readonly string[]): string {
    const { definition } = this.#of;
    const hint = header.length === 1 && column.includes(';') ? ' Columns are separated by commas.' : '';
    const declared = definition.parameters.custom.map(({ name }) => name);
    const there =
      declared.length === 0
        ? 'it declares none'
        : `it declares ${declared.slice(0, 20).join(', ')}${declared.length > 20 ? ' and others' : ''}`;
    return `"${short(column)}" is not a custom parameter of ${definition.id}: ${there}.${hint}`;
  }

  #readLine(header: readonly string[], record: readonly string[], line: number): void {
    if (!this.#isReadable) return;
    if (record.length !== header.length)
      return this.fault(line, `The line has ${record.length} values, and the header has ${header.length}.`);
    const before = this.faultCount;
    const invitationId = this.#idPlace < 0 ? '' : record[this.#idPlace]!;
    if (invitationId !== '' && !isInvitationId(invitationId))
      this.fault(line, `"${short(invitationId)}" is not the id of an invitation.`);
    const read: InvitationLine = {
      line,
      invitationId: invitationId === '' ? null : invitationId,
      cells: this.#places.map((place) => record[place]!),
    };
    const { definition, base, limits } = this.#of;
    const parameters = this.parametersOf(read);
    for (const { message } of valueFaults(parameters, limits)) this.fault(line, message);
    if (this.faultCount === before) {
      const fault = lengthFault(base, definition.id, parameters);
      if (fault !== null) this.fault(line, fault.message);
    }
    if (this.faultCount > before) return;
    this.count += 1;
    this.#take(read);
  }

  /** Also for what the store says of a line. */
  fault(line: number, message: string): void {
    this.faultCount += 1;
    if (this.faults.length < faultsKept) this.faults.push({ line, message });
  }
}

function short(text: string): string {
  return text.length <= 200 ? text : `${text.slice(0, 200).toWellFormed()}...`;
}
