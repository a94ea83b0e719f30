// One serving process: listens, beats, and goes without failing a request.

import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { House } from '../house.ts';
import { buildApp, buildManagementApp, openRooms, type Rooms } from './app.ts';
import { loadCompiler } from './input.ts';

// Long enough for a load balancer to see /readyz and for clients with open connections to be told to close them.
const drainMs = 500;
// What is still under way after this is cut off: a shutdown must end.
const patienceMs = 10_000;
// What only some requests need is loaded so long after the start: first come those who wait for an answer.
const loadLaterMs = 1_000;
// Connections that may wait while the event loop is busy; the default drops them under a burst.
const backlog = 1024;

export interface Server {
  readonly rooms: Rooms;
  readonly app: FastifyInstance;
  readonly baseUrl: string;
  readonly managementUrl: string | null;
  stop(): Promise<void>;
}

export async function startServer(house: House, metricsText?: () => Promise<string>): Promise<Server> {
  const rooms = openRooms(house, metricsText);
  const app = buildApp(rooms);
  const { host, port, managementPort } = house.config;
  const management = managementPort === null ? null : buildManagementApp(rooms);

  async function close(): Promise<void> {
    await app.close();
    await management?.close();
    await rooms.provisioningLog.stop();
    await rooms.pulse.stop();
    await house.db.close();
  }

  try {
    await rooms.pulse.start();
    await app.listen({ host, port, backlog });
    rooms.publicUrl.listeningOn(host, portOf(app));
    if (management !== null) await management.listen({ host, port: managementPort as number, backlog });
  } catch (error) {
    // Half a start would keep the process alive without serving anybody.
    await close();
    throw error;
  }
  const loading = setTimeout(() => void Promise.all([loadCompiler(), rooms.metrics.open()]), loadLaterMs);
  loading.unref();

  async function stop(): Promise<void> {
    clearTimeout(loading);
    rooms.pulse.isDraining = true;
    await new Promise((resume) => setTimeout(resume, drainMs));
    const cutOff = setTimeout(() => app.server.closeAllConnections(), patienceMs);
    await close();
    clearTimeout(cutOff);
  }

  return {
    rooms,
    app,
    baseUrl: localUrl(host, portOf(app)),
    managementUrl: management === null ? null : localUrl(host, portOf(management)),
    stop,
  };
}

function portOf(app: FastifyInstance): number {
  return (app.server.address() as AddressInfo).port;
}

function localUrl(host: string, port: number): string {
  const isAny = host === '0.0.0.0' || host === '::';
  return `http://${isAny ? '127.0.0.1' : host.includes(':') ? `[${host}]` : host}:${port}`;
}
