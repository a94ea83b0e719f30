// The figures by which an operator sees what the service is for: responses accepted and refused, users changed, what is
// behind, and what will end. Labels have a few values each, which this program names and no caller.

import type { Registry } from 'prom-client';
import type { Context } from '../../context.ts';
import { programVersion } from '../../domain/version.ts';
import type { ScanFigures } from '../../store/insight/scanner.ts';
import type { ResponseFigures } from './response-figures.ts';
import type { StoreLook } from './store-look.ts';

export interface WatchedFigures {
  readonly responseFigures: ResponseFigures;
  readonly pageProtection: {
    /** By what was decided. */
    readonly counts: Readonly<Record<string, number>>;
    readonly hotSurveys: number;
  };
  readonly provisioningFigures: { readonly counts: readonly ProvisioningCount[] };
  readonly userGuard: { readonly refused: number };
  readonly changeWaits: { readonly count: number };
  readonly scanner: { readonly figures: ScanFigures };
  readonly storeLook: StoreLook;
  /** Responses that this process has kept, or found, and that are not added up yet. */
  readonly rollUpQueue: { readonly rows: number };
}

interface ProvisioningCount {
  readonly face: string;
  readonly resource: string;
  readonly change: string;
  readonly count: number;
}

/** How far something that follows is behind, in seconds; null while that is not known. */
export interface Lag {
  readonly of: string;
  readonly seconds: () => number | null;
}

type PromClient = typeof import('prom-client');

export function addWatchedMetrics(
  { Counter, Gauge }: PromClient,
  registry: Registry,
  { db, now }: Context,
  figures: WatchedFigures,
  lags: readonly Lag[],
): void {
  const {
    responseFigures,
    pageProtection,
    provisioningFigures,
    userGuard,
    changeWaits,
    scanner,
    storeLook,
    rollUpQueue,
  } = figures;
  const registers = [registry];
  new Gauge({
    name: 'soundings_build_info',
    help: 'Always 1; the labels say which version runs, on which Node and which engine.',
    registers,
    aggregator: 'max',
    labelNames: ['version', 'node', 'engine'],
  }).set({ version: programVersion, node: process.versions.node, engine: db.engine }, 1);
  new Counter({
    name: 'soundings_responses_accepted_total',
    help: 'Survey responses that were accepted, by outcome: kept, repeated (kept before) or test (not kept).',
    registers,
    labelNames: ['outcome'],
    // Counted elsewhere, and copied when the page is made.
    collect() {
      this.reset();
      for (const [outcome, count] of Object.entries(responseFigures.accepted)) this.inc({ outcome }, count);
    },
  });
  new Counter({
    name: 'soundings_responses_refused_total',
    help: 'Survey responses that were not accepted, by the code of the error.',
    registers,
    labelNames: ['cause'],
    collect() {
      this.reset();
      for (const [cause, count] of responseFigures.refused) this.inc({ cause }, count);
    },
  });
  new Counter({
    name: 'soundings_page_sends_total',
    help: 'Sends to pages of surveys, by verdict: take, suspect (taken and flagged), wait (too many of a network), work (asked for while hot).',
    registers,
    labelNames: ['verdict'],
    collect() {
      this.reset();
      for (const [verdict, count] of Object.entries(pageProtection.counts)) this.inc({ verdict }, count);
    },
  });
  new Gauge({
    name: 'soundings_page_surveys_hot',
    help: 'Surveys that get far more than they are used to, so that browsers work before their answers are taken.',
    registers,
    aggregator: 'max',
    collect() {
      this.set(pageProtection.hotSurveys);
    },
  });
  new Counter({
    name: 'soundings_provisioning_changes_total',
    help: 'Users and groups that were created, changed, suspended, reactivated and deleted, by face.',
    registers,
    labelNames: ['face', 'resource', 'change'],
    collect() {
      this.reset();
      for (const { count, ...labels } of provisioningFigures.counts) this.inc(labels, count);
    },
  });
  new Counter({
    name: 'soundings_deprovisioning_refused_total',
    help: 'Suspensions and deletions that the guard against mass deprovisioning refused.',
    registers,
    collect() {
      this.reset();
      this.inc(userGuard.refused);
    },
  });
  new Gauge({
    name: 'soundings_change_waiters',
    help: 'Requests that wait for the next change of a measure or project.',
    registers,
    collect() {
      this.set(changeWaits.count);
    },
  });
  new Counter({
    name: 'soundings_scans_total',
    help: 'Scans of responses for a filter or for groups, by how they ended: complete, partial (their time was over), abandoned (the caller went away), refused (too many at once) or failed.',
    registers,
    labelNames: ['outcome'],
    collect() {
      this.reset();
      const { rows: _, ...outcomes } = scanner.figures;
      for (const [outcome, count] of Object.entries(outcomes)) this.inc({ outcome }, count);
    },
  });
  new Counter({
    name: 'soundings_scanned_responses_total',
    help: 'Responses that scans have looked at.',
    registers,
    collect() {
      this.reset();
      this.inc(scanner.figures.rows);
    },
  });
  new Gauge({
    name: 'soundings_lag_seconds',
    help: 'How far what follows the log is behind, by what it is; absent while nothing follows.',
    registers,
    aggregator: 'max',
    labelNames: ['of'],
    collect() {
      this.reset();
      for (const { of, seconds } of lags) {
        const behind = seconds();
        if (behind !== null) this.set({ of }, behind);
      }
    },
  });
  new Gauge({
    name: 'soundings_insight_lag_responses',
    help: 'Responses that this process knows of and that are not added up for figures yet; whoever asks adds them.',
    registers,
    collect() {
      this.set(rollUpQueue.rows);
    },
  });
  new Gauge({
    name: 'soundings_background_task_failing',
    help: '1 while a background task fails, by its name.',
    registers,
    aggregator: 'max',
    labelNames: ['task'],
    collect() {
      this.reset();
      for (const { name, isFailing } of storeLook.facts?.tasks ?? [])
        this.set({ task: name }, isFailing ? 1 : 0);
    },
  });
  new Gauge({
    name: 'soundings_table_bytes',
    help: 'How much each table takes with its indexes, as it was measured last: once an hour, of an embedded store of more than 16 MiB once a day.',
    registers,
    aggregator: 'max',
    labelNames: ['table'],
    collect() {
      this.reset();
      for (const { name, bytes } of storeLook.facts?.tables ?? []) this.set({ table: name }, bytes);
    },
  });
  new Gauge({
    name: 'soundings_provisioning_token_end_seconds',
    help: 'Time until the next live provisioning token ends; absent while there is none.',
    registers,
    aggregator: 'min',
    collect() {
      const endMs = storeLook.facts?.nextTokenEndMs ?? null;
      if (endMs === null) this.remove();
      else this.set((endMs - now()) / 1_000);
    },
  });
}
