// soundings maintenance on|off|status: on every replica, within seconds.

import { argument } from '../frame/takes.ts';
import { CommandError } from '../frame/terminal.ts';
import { verb } from '../frame/verb.ts';

const states = ['on', 'off', 'status'] as const;

export const maintenance = verb({
  about: 'maintenance mode: while on, every API endpoint answers "service unavailable"',
  takes: { state: argument('on, off, or status to see which it is', stateOf) },
  help: '\nEvery replica follows within 5 seconds; /livez, /readyz and /metrics are not affected.\nExample:\n  soundings maintenance on\n',
  load: () => import('../../store/engine/replicas.ts'),
  async act({ context, stamp, input: { state } }, { sharedState, setMaintenance }) {
    if (state === 'status') {
      const { maintenanceSinceMs } = await sharedState(context.db);
      const since = maintenanceSinceMs === null ? null : new Date(maintenanceSinceMs).toISOString();
      return { maintenance: since !== null, since };
    }
    const on = state === 'on';
    return { maintenance: on, changed: await context.db.write(setMaintenance, { ...stamp(), on }) };
  },
  says: (answer) => {
    if ('since' in answer)
      return answer.since === null ? 'Maintenance is off.' : `Maintenance is on since ${answer.since}.`;
    const already = answer.changed ? '' : ' already';
    return answer.maintenance
      ? `Maintenance is${already} on; every replica follows within 5 seconds.`
      : `Maintenance is${already} off.`;
  },
});

function stateOf(text: string): (typeof states)[number] {
  const state = states.find((one) => one === text);
  if (state !== undefined) return state;
  throw new CommandError(`Maintenance is "on" or "off", or asked about with "status", not "${text}".`);
}
