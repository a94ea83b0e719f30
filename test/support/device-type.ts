// A third type of resources, said in one file: devices. It is kept in memory, because no table of the service has any.

import { Problem } from '../../src/domain/problem.ts';
import {
  laterOf,
  type Resource,
  readResourceId,
  revisionTagOf,
} from '../../src/domain/provisioning/resource.ts';
import type { Values } from '../../src/domain/provisioning/value.ts';
import { provisioningRoutes } from '../../src/http/provisioning/provisioning-routes.ts';
import type { ResourceType } from '../../src/http/provisioning/resource-type.ts';
import { whole } from '../../src/http/server/sliced-answer.ts';
import { commonLines, grow, inOrder, line } from '../../src/scim/attributes.ts';
import { matches } from '../../src/scim/evaluate.ts';
import { changesInWords } from '../../src/scim/explain.ts';
import { standardFace } from '../../src/scim/faces.ts';
import { parseFilter } from '../../src/scim/filter.ts';
import { patchValues } from '../../src/scim/patch.ts';
import { type Projection, projected } from '../../src/scim/projection.ts';
import { metaOf, showResource } from '../../src/scim/resource.ts';
import { judgeSchemas } from '../../src/scim/resource-draft.ts';
import { schemaViewOf } from '../../src/scim/schema-view.ts';
import { isObject, type Reading, readValue } from '../../src/scim/values.ts';
import { provisioningRequests } from '../../src/store/provisioning/provisioning-log.ts';
import { type Mounted, type MountOptions, mountedAccountId } from './mounted.ts';

export const deviceSchema = 'urn:example:scim:schemas:Device';
const path = '/scim/devices';

const ownAttributes = [
  line('displayName', 'What it is called.', { requiredOn: ['standard'] }),
  line('sockets', 'How many cables it takes.', { type: 'integer' }),
].map((one) => grow(one, null, deviceSchema));
const commonAttributes = commonLines('device').map((one) => grow(one, null, null));
const schemaView = schemaViewOf(deviceSchema, inOrder(commonAttributes, ownAttributes), () => true);

function profileOf(body: unknown): Values {
  const reading: Reading = { schemaView, requiredOn: 'standard', lenient: true, faults: [] };
  const sent = isObject(body) ? body : {};
  judgeSchemas(sent.schemas, deviceSchema, reading.faults);
  const said = ownAttributes.map(({ name }, at) => [
    name,
    readValue(ownAttributes[at]!, sent[name], name, reading),
  ]);
  if (reading.faults.length === 0) return Object.fromEntries(said.filter(([, value]) => value !== undefined));
  throw new Problem('INVALID_REQUEST', 'The device is not valid.', { details: reading.faults });
}

function deviceType(): ResourceType<Resource, Values, Values> {
  const devices = new Map<number, Resource>();
  const locationOf = ({ id }: Resource): string => `${path}/Devices/${id}`;
  const resourceOf = (device: Resource): Values => ({
    ...device.profile,
    schemas: [deviceSchema],
    id: String(device.id),
    meta: metaOf('Device', device, revisionTagOf(device), locationOf(device)),
  });
  const shown = (device: Resource, projection: Projection) =>
    projected(showResource(resourceOf(device), schemaView, 'standard'), projection);
  const changed = (before: Resource, profile: Values, nowMs: number) => ({
    before,
    after: { ...before, profile, revision: before.revision + 1, lastModifiedMs: laterOf(before, nowMs) },
  });
  const isAt = ({ id, revision }: Resource): boolean => devices.get(id)?.revision === revision;
  return {
    name: 'Device',
    endpoint: 'Devices',
    description: 'What people work with.',
    schemaView,
    schemas: [{ urn: deviceSchema, name: 'Device', description: 'Device', attributes: ownAttributes }],
    texts: { address: '', list: '', replace: '', patchSummary: '', patch: '', remove: '' },
    sortsLists: true,
    answersPatches: true,
    notFound: 'GROUP_NOT_FOUND',
    nameTaken: 'GROUP_NAME_TAKEN',
    readFilter: (text, limits) => parseFilter(text, schemaView, limits),
    readDraft: profileOf,
    readReplacement: profileOf,
    replace: changed,
    async patch(before, { operations, nowMs, budget }) {
      const patched = { id: before.id, values: before.profile };
      const rules = { schemaView, face: 'standard' } as const;
      return changed(before, await budget.run(patchValues(patched, operations, rules, budget.spend)), nowMs);
    },
    changesInWords: ({ before, after }) => changesInWords(before.profile, after.profile),
    async find(accountId, address) {
      const device = devices.get(readResourceId(address) ?? 0);
      if (device?.accountId === accountId) return device;
      throw new Problem('GROUP_NOT_FOUND', `No device has the id "${address}".`);
    },
    async add(accountId, profile, { nowMs }) {
      const id = devices.size + 1;
      devices.set(id, { accountId, id, revision: 1, createdMs: nowMs, lastModifiedMs: nowMs, profile });
      return devices.get(id)!;
    },
    async save({ before, after }) {
      if (!isAt(before)) return null;
      devices.set(after.id, after);
      return after;
    },
    remove: async (device) => isAt(device) && devices.delete(device.id),
    async findPage(accountId, { filter, window: { skip, take } }, projection) {
      const found = [...devices.values()].filter(
        (device) =>
          device.accountId === accountId && (filter === null || matches(filter, resourceOf(device))),
      );
      const page = found.slice(skip, skip + take);
      return { total: found.length, resources: page.map((device) => whole(shown(device, projection))) };
    },
    versionOf: revisionTagOf,
    locationOf,
    complete: async (device) => device,
    show: (device, projection) => JSON.stringify(shown(device, projection)),
  };
}

/** Users and devices on a face like the standard one, at an address of its own. */
export const mountDevices: NonNullable<MountOptions['mount']> = (app, _context, services) => {
  provisioningRoutes(app, services, { ...standardFace, path }, [deviceType]);
};

/** How the requests so far were read, as the log of provisioning requests tells an operator. */
export async function understood({ context, services }: Mounted): Promise<readonly (string | null)[]> {
  await services.provisioningLog.stop();
  const requests = await provisioningRequests(context.db, mountedAccountId, context.now());
  return requests.map((request) => request.understood);
}
