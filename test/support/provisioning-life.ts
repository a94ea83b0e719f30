// Lives of users and groups, played by chance through HTTP on both faces: each step changes the service and the model,
// and the answer must be what the model says. Steps are named, so that a failure tells what was done before it.

import assert from 'node:assert/strict';
import {
  addressOf,
  bodyOf,
  groupBody,
  patchBody,
  revisionOf,
  sorted,
  withElement,
} from './provisioning-bodies.ts';
import {
  type Face,
  type ModelGroup,
  type ModelUser,
  type Profile,
  ProvisioningModel,
  type Search,
  searches,
} from './provisioning-model.ts';
import { enterpriseSchema, groupSchema } from './schema-urns.ts';
import { callStandard } from './scim.ts';
import type { Seeded } from './seeded.ts';
import { type Answer, callUsers } from './users.ts';

const givenNames = ['Ada', 'Grace', 'Émilie', 'Zoë', 'Ida', 'Ängela', 'Jo', 'Mary Ann', "D'Arcy", 'Radia'];
const familyNames = ['Lovelace', 'Hopper', 'du Châtelet', 'Rhodes', 'Ølsen', 'Perlman', 'Ng', 'Lamarr', '李'];
const departments = ['Research', 'Sales', 'Support'];
const titles = ['Analyst', 'Admiral', 'Engineer'];
const firstId = 1_000_000_001;

interface Clock {
  nowMs: number;
}

export interface LifeOptions {
  readonly baseUrl: string;
  readonly clock: Clock;
  readonly accountId: number;
  readonly token: string;
  readonly foreignToken: string;
  readonly chance: Seeded;
}

// biome-ignore lint/suspicious/noExplicitAny: resources as JSON.
type Resource = any;

export class ProvisioningLife {
  readonly model = new ProvisioningModel();
  /** The names of the last steps, for whoever reads a failure. */
  readonly played: string[] = [];
  readonly #options: LifeOptions;
  readonly #freeNames: string[] = [];
  #lastId = 0;
  #named = 0;

  constructor(options: LifeOptions) {
    this.#options = options;
  }

  /** One step, whichever chance takes. */
  async step(): Promise<void> {
    const { chance } = this.#options;
    const steps: readonly [share: number, name: keyof ProvisioningLife & `play${string}`][] = [
      [10, 'playCreate'],
      [4, 'playTakenName'],
      [10, 'playRename'],
      [10, 'playSuspension'],
      [8, 'playReplace'],
      [12, 'playPatch'],
      [4, 'playSilentPatch'],
      [8, 'playDelete'],
      [10, 'playSearch'],
      [6, 'playRead'],
      [4, 'playForeigner'],
      [3, 'playNewGroup'],
      [12, 'playMembers'],
      [2, 'playGroupDelete'],
      [2, 'playGroupSearch'],
    ];
    let point = chance.below(steps.reduce((sum, [share]) => sum + share, 0));
    for (const [share, name] of steps) {
      point -= share;
      if (point >= 0) continue;
      // A moment passes, so that every change has a time of its own.
      this.#options.clock.nowMs += 7;
      this.#note(name);
      await (this[name] as () => Promise<void>)();
      return;
    }
  }

  async playCreate(): Promise<void> {
    const face = this.#face();
    const profile = this.#newProfile(face);
    const answer = await this.#call(face, 'POST', '/Users', bodyOf(face, profile));
    assert.equal(answer.status, face === 'standard' ? 201 : 200, answer.text);
    const id = Number(answer.body.id);
    assert.ok(id >= firstId && id > this.#lastId, `${id} comes after ${this.#lastId}`);
    this.#lastId = id;
    this.#assertUser(face, answer, this.model.add(id, profile, this.#nowMs));
  }

  /** Whoever has the name keeps it, whatever its case; nothing is made of the second. */
  async playTakenName(): Promise<void> {
    const { chance } = this.#options;
    const face = this.#face();
    const other = this.#someUser();
    const takesId = other.externalId !== undefined && chance.percent(50);
    const profile: Profile = {
      ...this.#newProfile(face),
      ...(takesId ? { externalId: other.externalId } : { userName: other.userName.toUpperCase() }),
    };
    const answer = await this.#call(face, 'POST', '/Users', bodyOf(face, profile));
    assert.equal(answer.status, 409, answer.text);
    if (takesId) this.#freeNames.push(profile.userName);
    const renamed = this.#someUser();
    if (renamed === other || takesId) return;
    const patch = { op: 'replace', path: 'userName', value: other.userName };
    assert.equal((await this.#patchUser(face, renamed, [patch])).status, 409);
    await this.#assertRead(face, renamed);
  }

  async playRename(): Promise<void> {
    const { chance } = this.#options;
    const face = this.#face();
    const user = this.#someUser();
    const userName = this.#newName();
    this.#freeNames.push(user.userName);
    if (chance.percent(50)) {
      const operations = chance.pick([
        [{ op: 'replace', path: 'userName', value: userName }],
        [{ op: 'Replace', path: 'userName', value: userName }],
        [{ op: 'replace', value: { userName } }],
      ]);
      const answer = await this.#patchUser(face, user, operations);
      this.model.change(user, { userName }, this.#nowMs);
      return this.#assertUser(face, answer, user);
    }
    await this.#replace(face, user, { ...user, userName });
  }

  async playSuspension(): Promise<void> {
    const { chance } = this.#options;
    const face = this.#face();
    const user = this.#someUser();
    const active = !user.active;
    const operations = chance.pick([
      [{ op: 'Replace', path: 'active', value: active ? 'True' : 'False' }],
      [{ op: 'replace', value: { active } }],
      [{ op: 'replace', path: 'active', value: active }],
      [{ op: 'Add', path: 'active', value: active ? 'True' : 'False' }],
    ]);
    const answer = await this.#patchUser(face, user, operations);
    this.model.change(user, { active }, this.#nowMs);
    this.#assertUser(face, answer, user);
  }

  async playReplace(): Promise<void> {
    const face = this.#face();
    const user = this.#someUser();
    const fresh = this.#newProfile(face, user.userName);
    // A user without an external id may get one; who has one keeps it, or it changes.
    const externalId = this.#options.chance.percent(30) ? fresh.externalId : user.externalId;
    await this.#replace(face, user, { ...fresh, externalId: externalId ?? user.externalId });
  }

  async playPatch(): Promise<void> {
    const { chance } = this.#options;
    const face = this.#face();
    const user = this.#someUser();
    const number = this.#nextNumber();
    const givenName = chance.pick(givenNames);
    const familyName = chance.pick(familyNames);
    const email = `new.${number}@example.com`;
    const phone = `+49 ${number}`;
    const changedEmails = withElement(user.emails, 'work', email);
    const changedPhones = withElement(user.phoneNumbers, 'mobile', phone);
    const department = chance.pick(departments);
    const employeeNumber = String(number);
    const title = chance.pick(titles);
    const displayName = `${givenName} ${number}`;
    const forBoth: [object[], Partial<Profile>][] = [
      [[{ op: 'Replace', path: 'name.givenName', value: givenName }], { name: { ...user.name, givenName } }],
      [[{ op: 'Replace', path: 'emails[type eq "work"].value', value: email }], { emails: changedEmails }],
      [
        [{ op: 'Add', path: 'phoneNumbers[type eq "mobile"].value', value: phone }],
        { phoneNumbers: changedPhones },
      ],
      [[{ op: 'replace', value: { name: { familyName } } }], { name: { ...user.name, familyName } }],
      [
        [
          { op: 'replace', path: 'name.familyName', value: familyName },
          { op: 'add', path: 'emails[type eq "work"].value', value: email },
          { op: 'replace', path: 'active', value: true },
        ],
        { name: { ...user.name, familyName }, emails: changedEmails, active: true },
      ],
    ];
    const forStandard: [object[], Partial<Profile>][] = [
      [
        [
          { op: 'Replace', path: 'displayName', value: displayName },
          { op: 'Add', path: `${enterpriseSchema}:department`, value: department },
        ],
        { displayName, department },
      ],
      [
        [
          {
            op: 'replace',
            value: {
              displayName,
              'name.givenName': givenName,
              [`${enterpriseSchema}:employeeNumber`]: employeeNumber,
            },
          },
        ],
        { displayName, employeeNumber, name: { ...user.name, givenName } },
      ],
      [[{ op: 'add', value: { title, [enterpriseSchema]: { department } } }], { title, department }],
      [[{ op: 'replace', path: 'title', value: title }], { title }],
    ];
    if (user.title !== undefined) forStandard.push([[{ op: 'Remove', path: 'title' }], { title: undefined }]);
    const [operations, changes] = chance.pick(face === 'standard' ? [...forBoth, ...forStandard] : forBoth);
    const before = JSON.stringify(user);
    const isSame = JSON.stringify({ ...user, ...changes }) === before;
    const answer = await this.#patchUser(face, user, operations);
    if (!isSame) this.model.change(user, changes, this.#nowMs);
    this.#assertUser(face, answer, user);
  }

  /** A patch that changes nothing leaves version and time as they were. */
  async playSilentPatch(): Promise<void> {
    const face = this.#face();
    const user = this.#someUser();
    const operations = [
      { op: 'replace', path: 'userName', value: user.userName },
      { op: 'Replace', path: 'active', value: user.active ? 'True' : 'False' },
    ];
    this.#assertUser(face, await this.#patchUser(face, user, operations), user);
  }

  /** Gone from both faces and from every group; the names are free again. */
  async playDelete(): Promise<void> {
    if (this.model.users.size < 250) return this.playCreate();
    const user = this.#someUser();
    const groups = this.model.groupsOf(user);
    const answer = await this.#call('standard', 'DELETE', `/Users/${user.id}`);
    assert.equal(answer.status, 204, answer.text);
    assert.equal(answer.text, '');
    this.model.remove(user, this.#nowMs);
    this.#freeNames.push(user.userName);
    for (const face of ['standard', 'interface'] as const)
      assert.equal((await this.#call(face, 'GET', addressOf(face, user))).status, 404);
    assert.equal((await this.#call('standard', 'DELETE', `/Users/${user.id}`)).status, 404);
    for (const group of groups.slice(0, 2)) await this.#assertGroupRead(group);
  }

  async playRead(): Promise<void> {
    const { chance } = this.#options;
    const face = this.#face();
    const user = this.#someUser();
    await this.#assertRead(face, user);
    if (user.externalId === undefined) return;
    // Each face knows one address alone.
    const other = face === 'standard' ? `/Users/${encodeURIComponent(user.externalId)}` : `/Users/${user.id}`;
    assert.equal((await this.#call(face, 'GET', other)).status, 404);
    const tag = (await this.#call(face, 'GET', addressOf(face, user))).headers.get('etag') ?? '';
    const fresh = await this.#call(face, 'GET', addressOf(face, user), undefined, { 'if-none-match': tag });
    assert.equal(fresh.status, 304);
    if (chance.percent(50)) return;
    const stale = { 'if-match': `W/"${user.revision + 1}"` };
    const refused = await this.#patchUser(
      face,
      user,
      [{ op: 'replace', path: 'active', value: true }],
      stale,
    );
    assert.equal(refused.status, 412, refused.text);
  }

  async playSearch(): Promise<void> {
    const { chance } = this.#options;
    const face = this.#face();
    const search = face === 'standard' && chance.percent(70) ? this.#richSearch() : this.#plainSearch();
    const startIndex = chance.pick([1, 1, 1, 2, 50, 400]);
    const count = chance.pick([0, 1, 10, 100, 200]);
    const isDescending = chance.percent(50);
    const sortBy = chance.pick([undefined, undefined, 'userName', 'name.familyName'] as const);
    const isSorted = sortBy !== undefined;
    const found = this.model.list().filter(search.matches);
    const ordered = isSorted ? sorted(found, sortBy, isDescending) : found;
    const order = isSorted ? { sortBy, sortOrder: isDescending ? 'descending' : 'ascending' } : {};
    const wanted = { filter: search.filter, startIndex, count, ...order };
    // The interface sorts by its search body alone.
    const byBody = chance.percent(40) || (isSorted && face === 'interface');
    const query = new URLSearchParams(Object.entries(wanted).map(([key, value]) => [key, String(value)]));
    const answer = byBody
      ? await this.#call(face, 'POST', '/Users/.search', wanted)
      : await this.#call(face, 'GET', `/Users?${query}`);
    assert.equal(answer.status, 200, `${search.filter}: ${answer.text}`);
    this.#note(`${search.filter} ${JSON.stringify(wanted)}`);
    const page = ordered.slice(startIndex - 1, startIndex - 1 + count);
    this.#assertList(face, answer, ordered.length, page);
    assert.equal(answer.body.startIndex, startIndex);
  }

  /** Of another account's users nothing is seen, by no way of asking, and nothing can be done to them. */
  async playForeigner(): Promise<void> {
    const face = this.#face();
    const user = this.#someUser();
    // By its id: an external id may be somebody's there too.
    const path = `/Users/${user.id}`;
    const foreign = (method: string, body?: object): Promise<Answer> =>
      this.#call(face, method, path, body, {}, this.#options.foreignToken);
    const answers = [
      await foreign('GET'),
      await foreign('PATCH', patchBody(face, [{ op: 'replace', path: 'active', value: false }])),
      await foreign('PUT', bodyOf(face, { ...user, userName: 'mine now' })),
      ...(face === 'standard' ? [await foreign('DELETE')] : []),
    ];
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map(() => 404),
    );
    await this.#assertRead(face, user);
  }

  async playNewGroup(): Promise<void> {
    const { chance } = this.#options;
    const members = chance.some([...this.model.users.keys()], chance.pick([0, 1, 5, 40]));
    const displayName = `Group ${this.#nextNumber()}`;
    const answer = await this.#call('standard', 'POST', '/Groups', groupBody(displayName, members));
    assert.equal(answer.status, 201, answer.text);
    const id = Number(answer.body.id);
    assert.ok(id > this.#lastId);
    this.#lastId = id;
    const group = this.model.addGroup(id, displayName, members, this.#nowMs);
    this.#assertGroup(answer.body, group);
    const again = await this.#call('standard', 'POST', '/Groups', groupBody(displayName.toUpperCase(), []));
    assert.equal(again.status, 409, again.text);
  }

  /** Members come, go and are replaced in the words of each provider; some are there already, or not there. */
  async playMembers(): Promise<void> {
    const { chance } = this.#options;
    if (this.model.groups.size === 0) return this.playNewGroup();
    const group = this.#someGroup();
    const ids = chance.some([...this.model.users.keys()], chance.pick([1, 1, 3, 30]));
    const values = ids.map((id) => ({ value: String(id) }));
    const one = ids[0]!;
    const leaving = chance.percent(70) && group.members.size > 0 ? chance.pick([...group.members]) : one;
    const displayName = `Group ${this.#nextNumber()}`;
    const joined = new Set([...group.members, ...ids]);
    const without = new Set([...group.members].filter((id) => id !== leaving));
    const left = new Set([...group.members].filter((id) => !ids.includes(id)));
    const kinds: readonly [operations: object[], members: Set<number>, name?: string][] = [
      [[{ op: 'Add', path: 'members', value: values }], joined],
      [[{ op: 'add', path: 'members', value: values }], joined],
      [[{ op: 'Remove', path: 'members', value: [{ $ref: null, value: String(leaving) }] }], without],
      [[{ op: 'remove', path: `members[value eq "${leaving}"]` }], without],
      [[{ op: 'remove', path: 'members', value: values }], left],
      [[{ op: 'replace', path: 'members', value: values }], new Set(ids)],
      [[{ op: 'replace', value: { id: String(group.id), displayName } }], group.members, displayName],
      [
        [
          { op: 'Replace', path: 'displayName', value: displayName },
          { op: 'Add', path: 'members', value: values },
        ],
        joined,
        displayName,
      ],
      [[{ op: 'Remove', path: 'members' }], new Set()],
    ];
    const path = `/Groups/${group.id}`;
    if (chance.percent(15)) {
      const answer = await this.#call('standard', 'PUT', path, groupBody(displayName, ids));
      assert.equal(answer.status, 200, answer.text);
      this.#setGroup(group, new Set(ids), displayName, true);
      return this.#assertGroup(answer.body, group);
    }
    if (chance.percent(5)) {
      const stranger = { op: 'add', path: 'members', value: [{ value: String(this.#lastId + 5000) }] };
      const refused = await this.#call('standard', 'PATCH', path, patchBody('standard', [stranger]));
      assert.equal(refused.status, 400, refused.text);
      return this.#assertGroupRead(group);
    }
    const [operations, members, name] = chance.pick(kinds);
    this.#note(JSON.stringify(operations));
    const answer = await this.#call('standard', 'PATCH', path, patchBody('standard', operations));
    assert.equal(answer.status, 204, answer.text);
    this.#setGroup(group, members, name ?? group.displayName, false);
    assert.equal(revisionOf(answer.headers.get('etag')), group.revision);
    await this.#assertGroupRead(group);
  }

  async playGroupDelete(): Promise<void> {
    if (this.model.groups.size < 12) return this.playNewGroup();
    const group = this.#someGroup();
    assert.equal((await this.#call('standard', 'DELETE', `/Groups/${group.id}`)).status, 204);
    assert.equal((await this.#call('standard', 'GET', `/Groups/${group.id}`)).status, 404);
    const [member] = [...group.members].map((id) => this.model.users.get(id));
    this.model.groups.delete(group.id);
    if (member !== undefined) await this.#assertRead('standard', member);
  }

  async playGroupSearch(): Promise<void> {
    if (this.model.groups.size === 0) return this.playNewGroup();
    const group = this.#someGroup();
    const filter = new URLSearchParams({ filter: `displayName eq "${group.displayName.toLowerCase()}"` });
    const answer = await this.#call('standard', 'GET', `/Groups?${filter}&excludedAttributes=members`);
    assert.equal(answer.body.totalResults, 1, answer.text);
    assert.equal(answer.body.Resources[0].id, String(group.id));
    assert.equal('members' in answer.body.Resources[0], false);
    const [member] = group.members;
    if (member === undefined) return;
    const byMember = new URLSearchParams({ filter: `members.value eq "${member}"` });
    const holding = await this.#call('standard', 'GET', `/Groups?${byMember}&attributes=displayName`);
    const expected = [...this.model.groups.values()].filter(({ members }) => members.has(member));
    assert.deepEqual(
      holding.body.Resources.map((resource: Resource) => Number(resource.id)),
      expected.map(({ id }) => id).sort((a, b) => a - b),
      holding.text,
    );
  }

  /** Everything there is, page by page on both faces, is what the model says, and nothing else. */
  async assertWhole(): Promise<void> {
    const users = this.model.list();
    for (const face of ['interface', 'standard'] as const) {
      for (let skip = 0; skip < users.length; skip += 90) {
        const answer = await this.#call(face, 'GET', `/Users?startIndex=${skip + 1}&count=90`);
        assert.equal(answer.status, 200, answer.text);
        this.#assertList(face, answer, users.length, users.slice(skip, skip + 90));
      }
    }
    const answer = await this.#call('standard', 'GET', '/Groups?count=200');
    const groups = [...this.model.groups.values()].sort((a, b) => a.id - b.id);
    assert.equal(answer.body.totalResults, groups.length);
    answer.body.Resources.forEach((shown: Resource, index: number) =>
      this.#assertGroup(shown, groups[index]!),
    );
  }

  get #nowMs(): number {
    return this.#options.clock.nowMs;
  }

  #note(what: string): void {
    this.played.push(what);
    if (this.played.length > 12) this.played.shift();
  }

  #nextNumber(): number {
    this.#named += 1;
    return this.#named;
  }

  #face(): Face {
    return this.#options.chance.pick(['interface', 'standard'] as const);
  }

  #someUser(): ModelUser {
    return this.#options.chance.pick([...this.model.users.values()]);
  }

  #someGroup(): ModelGroup {
    return this.#options.chance.pick([...this.model.groups.values()]);
  }

  /** Names that somebody had before come back often. */
  #newName(): string {
    const { chance } = this.#options;
    const again = chance.percent(60) ? this.#freeNames.shift() : undefined;
    if (again !== undefined && !this.model.hasUserName(again)) return again;
    return `${chance.pick(givenNames).replace(' ', '.')}.${this.#nextNumber()}@Example.com`;
  }

  #newProfile(face: Face, userName = this.#newName()): Profile {
    const { chance } = this.#options;
    const number = this.#nextNumber();
    const work = { value: `work.${number}@example.com`, type: 'work', primary: true };
    const home = { value: `Home.${number}@Example.org`, type: 'home' };
    const name = { givenName: chance.pick(givenNames), familyName: chance.pick(familyNames) };
    const profile: Profile = {
      userName,
      externalId: chance.percent(60) ? `hr/${number} ü` : undefined,
      active: chance.percent(85),
      name,
      emails: chance.pick([[work], [work, home], [home]]),
      phoneNumbers: chance.percent(40) ? [{ value: `+44 ${number}`, type: 'mobile' }] : undefined,
    };
    if (face === 'interface') return profile;
    return {
      ...profile,
      displayName: chance.percent(70) ? `${name.givenName} ${number}` : undefined,
      title: chance.percent(40) ? chance.pick(titles) : undefined,
      department: chance.percent(40) ? chance.pick(departments) : undefined,
      employeeNumber: chance.percent(30) ? String(number) : undefined,
    };
  }

  /** Replace sets all that a face can express; what only the other can is kept, and so is the external id. */
  async #replace(face: Face, user: ModelUser, profile: Profile): Promise<void> {
    const path = addressOf(face, user);
    const isSilent = this.#options.chance.percent(30);
    const { active, ...rest } = profile;
    const body = bodyOf(face, profile) as Record<string, unknown>;
    if (isSilent) {
      delete body.active;
      delete body.externalId;
    }
    const answer = await this.#call(face, 'PUT', path, body);
    assert.equal(answer.status, 200, answer.text);
    const spoken = isSilent ? { ...rest, externalId: user.externalId } : { ...rest, active };
    const kept =
      face === 'standard'
        ? {}
        : {
            displayName: user.displayName,
            title: user.title,
            department: user.department,
            employeeNumber: user.employeeNumber,
          };
    const { userName, externalId, name, displayName, title, emails, phoneNumbers } = spoken;
    const { department, employeeNumber } = spoken;
    const set = { userName, externalId, name, displayName, title, emails, phoneNumbers };
    const changes = { ...set, department, employeeNumber, ...kept, active: isSilent ? user.active : active };
    this.model.change(user, changes, this.#nowMs);
    this.#assertUser(face, answer, user);
  }

  #plainSearch(): Search {
    const { chance } = this.#options;
    const part = (): Search => {
      const field = chance.pick(['givenName', 'familyName'] as const);
      const whole = chance.pick(field === 'givenName' ? givenNames : familyNames);
      const op = chance.pick(['co', 'sw', 'ew'] as const);
      const length = 1 + chance.below(whole.length);
      const text =
        op === 'sw' ? whole.slice(0, length) : op === 'ew' ? whole.slice(-length) : whole.slice(0, 4);
      return searches.namePart(field, op, chance.percent(50) ? text.toUpperCase() : text);
    };
    const named = (): Search => {
      const { userName } = this.#someUser();
      return searches.userName(chance.percent(50) ? userName.toUpperCase() : userName);
    };
    return chance.pick([named, part, part, () => searches.and(part(), part())])();
  }

  #richSearch(): Search {
    const { chance } = this.#options;
    const user = this.#someUser();
    const one = (): Search =>
      chance.pick([
        () => searches.externalId(user.externalId ?? 'nobody'),
        () => searches.email((user.emails?.[0]?.value ?? 'nobody').toUpperCase()),
        () => searches.emailOfType(chance.pick(['work', 'home']), chance.pick(['1', 'work.', 'NEW.'])),
        () => searches.active(chance.percent(50)),
        () => searches.displayName(chance.pick(['a', 'gr', 'É'])),
        () => searches.hasTitle(),
        () => searches.department(chance.pick(departments)),
        () => searches.changedAfter(user.modifiedMs),
        () => searches.id(user.id),
        () => this.#plainSearch(),
      ])();
    return chance.pick([
      one,
      one,
      () => searches.and(one(), one()),
      () => searches.or(one(), one()),
      () => searches.not(one()),
    ])();
  }

  #setGroup(group: ModelGroup, members: ReadonlySet<number>, displayName: string, isPut: boolean): void {
    const isSame =
      !isPut &&
      displayName === group.displayName &&
      members.size === group.members.size &&
      [...members].every((id) => group.members.has(id));
    if (isSame) return;
    const wanted = [...members];
    group.members.clear();
    for (const id of wanted) group.members.add(id);
    group.displayName = displayName;
    this.model.changed(group, this.#nowMs);
  }

  async #assertRead(face: Face, user: ModelUser): Promise<void> {
    const answer = await this.#call(face, 'GET', addressOf(face, user));
    this.#assertUser(face, answer, user);
  }

  async #assertGroupRead(group: ModelGroup): Promise<void> {
    const answer = await this.#call('standard', 'GET', `/Groups/${group.id}`);
    assert.equal(answer.status, 200, answer.text);
    this.#assertGroup(answer.body, group);
  }

  #assertUser(face: Face, answer: Answer, user: ModelUser): void {
    assert.ok(answer.status === 200 || answer.status === 201, answer.text);
    this.#assertShown(face, answer.body, user);
    assert.equal(answer.headers.get('etag'), answer.body.meta.version);
  }

  #assertShown(face: Face, shown: Resource, user: ModelUser): void {
    const { version, location, ...meta } = shown.meta;
    const groups = shown.groups?.map(({ value }: Resource) => value).sort();
    const comparable = { ...shown, meta, ...(groups === undefined ? {} : { groups }) };
    assert.deepEqual(comparable, this.model.shown(user, face, this.#options.accountId));
    assert.equal(revisionOf(version), user.revision);
    const base = face === 'standard' ? '/scim/v2' : '/v1/scim';
    assert.equal(location, `${this.#options.baseUrl}${base}${addressOf(face, user)}`);
  }

  #assertGroup(shown: Resource, group: ModelGroup): void {
    assert.deepEqual(shown.schemas, [groupSchema]);
    assert.equal(shown.id, String(group.id));
    assert.equal(shown.displayName, group.displayName);
    assert.deepEqual(
      shown.members.map(({ value }: Resource) => Number(value)).sort(),
      [...group.members].sort(),
    );
    assert.equal(revisionOf(shown.meta.version), group.revision);
    assert.equal(shown.meta.created, new Date(group.createdMs).toISOString());
    assert.equal(shown.meta.lastModified, new Date(group.modifiedMs).toISOString());
  }

  #assertList(face: Face, answer: Answer, total: number, page: readonly ModelUser[]): void {
    const { totalResults, itemsPerPage } = answer.body;
    const shown: Resource[] = (face === 'standard' ? answer.body.Resources : answer.body.resources) ?? [];
    assert.equal(totalResults, total);
    assert.equal(itemsPerPage, page.length);
    assert.deepEqual(
      shown.map(({ id }) => Number(id)),
      page.map(({ id }) => id),
    );
    shown.forEach((resource, index) => this.#assertShown(face, resource, page[index]!));
  }

  async #patchUser(
    face: Face,
    user: ModelUser,
    operations: readonly object[],
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> {
    this.#note(JSON.stringify(operations));
    return this.#call(face, 'PATCH', addressOf(face, user), patchBody(face, operations), headers);
  }

  async #call(
    face: Face,
    method: string,
    path: string,
    body?: object,
    headers: Readonly<Record<string, string>> = {},
    token = this.#options.token,
  ): Promise<Answer> {
    const call = face === 'standard' ? callStandard : callUsers;
    const options = { ...(body === undefined ? {} : { body }), headers };
    const answer = await call(this.#options.baseUrl, token, method, path, options);
    assert.ok(answer.status < 500, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  }
}
