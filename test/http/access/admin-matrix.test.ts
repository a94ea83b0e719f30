// Who may do what to whom: every act that changes a person, group, role, credential, connection or session, through every
// face, by everybody who might try, on targets of every role. The acts are held against what the service itself lists, and
// the answers against a table that is written by hand. Whoever is refused has changed nothing at all (D-810, D-819).

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  consoleCall,
  cookieSetBy,
  grantAside,
  operatorAside,
  passwordAside,
  sessionAside,
  sessionsAside,
} from '../../support/console.ts';
import {
  type VisitorAside,
  type VisitorKind,
  visitorKinds,
  visitorsAside,
} from '../../support/console-roles.ts';
import { apiDocuments } from '../../support/declared-operations.ts';
import { declaredRoutes } from '../../support/declared-routes.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { type Answer, exchange } from '../../support/exchange.ts';
import { patience } from '../../support/patience.ts';
import {
  type Act,
  adminUsers,
  grantedTo,
  type Kind,
  listedVerbs,
  otherRoutes,
  otherVerbs,
  ownActs,
  peopleActs,
  peopleVerbs,
  type Surroundings,
  secretActs,
  suspendedUsers,
  type Target,
  type TargetKind,
  targetKinds,
  userTargets,
} from '../../support/people-acts.ts';
import { callStandard, group, make, patchOf } from '../../support/scim.ts';
import { commandHereOk, tokenFor } from '../../support/service.ts';
import { storeRows } from '../../support/store-rows.ts';
import { addUsers } from '../../support/user-population.ts';
import { type Call, type ProvisioningService, startProvisioning } from '../../support/users.ts';

// ---- The table

/** The columns for people, in the order of `visitorKinds`: none, viewer, analyst, editor, identity, admin, operators. */
const people = visitorKinds;
const programs = [
  'token',
  'marked token',
  'reading token',
  'client',
  'marked client',
  'reading client',
  'access token of identity',
  'access token of admin',
] as const;
type Program = (typeof programs)[number];
type Who = VisitorKind | Program;

/**
 * `+` may, `-` has no such right at all, `P` may not because of an admin. Where an act is not offered to people, or not to
 * programs, there is no column.
 */
interface Row {
  readonly people?: string;
  readonly programs?: string;
}

const managers = '----++-+';
const admins = '-----+-+';
const operators = '------++';
const writers = '++-++---';
const markedWriters = 'P+-P+---';

/** To whoever is below admin, and to whoever carries it. */
const table: Readonly<Record<Kind, { readonly below: Row; readonly admin: Row }>> = {
  'what they sign in by': { below: { programs: writers }, admin: { programs: markedWriters } },
  'whether they are active': {
    below: { people: managers, programs: writers },
    admin: { people: admins, programs: markedWriters },
  },
  'whether they exist': {
    below: { people: managers, programs: writers },
    admin: { people: admins, programs: markedWriters },
  },
  'other attributes': { below: { programs: writers }, admin: { programs: writers } },
  'end of sessions': { below: { people: managers }, admin: { people: admins } },
  link: { below: { people: managers }, admin: { people: admins } },
  'connection of a user': { below: { people: admins }, admin: { people: admins } },
  confirmation: { below: { people: admins }, admin: { people: admins } },
  'open refusals': { below: { people: admins }, admin: { people: admins } },
  'roles below admin': { below: { people: managers }, admin: { people: managers } },
  'role admin': { below: { people: admins }, admin: { people: admins } },
  members: {
    below: { people: managers, programs: writers },
    admin: { people: admins, programs: markedWriters },
  },
  'whether a group exists': {
    below: { people: managers, programs: writers },
    admin: { people: admins, programs: markedWriters },
  },
  'name of a group': {
    below: { people: managers, programs: writers },
    admin: { people: admins, programs: writers },
  },
  'new user or group': {
    below: { people: managers, programs: writers },
    admin: { people: managers, programs: writers },
  },
  'new token': { below: { people: managers }, admin: { people: managers } },
  'new token with the mark': { below: { people: admins }, admin: { people: admins } },
  'end of a token': { below: { people: managers }, admin: { people: managers } },
  'API clients': { below: { people: admins }, admin: { people: admins } },
  'set-up link': { below: { people: admins }, admin: { people: admins } },
  connections: { below: { people: admins }, admin: { people: admins } },
  'roles by value': { below: { people: admins }, admin: { people: admins } },
  'accounts and keys': { below: { people: operators }, admin: { people: operators } },
};

/** What is kept from everybody who is not admin, operator or marked by one of them. */
const protectedKinds: readonly Kind[] = [
  'what they sign in by',
  'whether they are active',
  'whether they exist',
  'end of sessions',
  'link',
  'connection of a user',
  'confirmation',
  'open refusals',
  'role admin',
  'members',
  'whether a group exists',
  'new token with the mark',
  'API clients',
  'set-up link',
  'connections',
  'roles by value',
  'accounts and keys',
];
const mayChangeAdmins: readonly Who[] = [
  'admin',
  'operator inside',
  'operator outside',
  'marked token',
  'marked client',
];

const carrying: readonly TargetKind[] = [
  ...adminUsers,
  'suspended admin',
  'admin group',
  'marked token',
  'marked client',
];

function rowOf({ kind }: Act, target: TargetKind): Row {
  // Such a group is no admin, but with it somebody would be gone from a group that carries admin.
  const isAdmin =
    carrying.includes(target) || (target === 'group in an admin group' && kind === 'whether a group exists');
  return table[kind][isAdmin ? 'admin' : 'below'];
}

const isOfConsole = ({ route }: Act): boolean => route.includes(' /console/');

/** What the table says of a cell; null for somebody whom this face does not know. */
function verdictOn(act: Act, who: Who, target: TargetKind): '+' | '-' | 'P' | null {
  const row = rowOf(act, target);
  const [columns, said] = isOfConsole(act) ? [people, row.people] : [programs, row.programs];
  const at = (columns as readonly Who[]).indexOf(who);
  return at < 0 ? null : ((said ?? '')[at] as '+' | '-' | 'P');
}

interface Cell {
  readonly act: Act;
  readonly who: Who;
  readonly kind: TargetKind;
  readonly verdict: '+' | '-' | 'P' | null;
}

const everybody: readonly Who[] = [...people, ...programs];
const cells: readonly Cell[] = peopleActs.flatMap((act) =>
  act.targets.flatMap((kind) =>
    everybody.map((who): Cell => ({ act, who, kind, verdict: verdictOn(act, who, kind) })),
  ),
);
// Those who may most try the face that is not theirs, on those who may most.
const refusedCells = cells.filter(({ who, kind, verdict }) =>
  verdict === null
    ? mayChangeAdmins.includes(who) && (carrying.includes(kind) || kind === 'account')
    : verdict !== '+',
);
// Identity providers say one thing in many forms: each form is let through on one target below admin and on one that is
// admin, in turn, so that every target has its turn.
const allowedCells = cells.filter(({ act, kind, verdict }) => {
  if (verdict !== '+') return false;
  if (isOfConsole(act)) return true;
  const alike = act.targets.filter((one) => carrying.includes(one) === carrying.includes(kind));
  return alike[peopleActs.indexOf(act) % alike.length] === kind;
});
const isChanging = (method: string): boolean => !['GET', 'HEAD'].includes(method.toUpperCase());

describe('the acts on people', () => {
  it('every route that changes anything is here, or among those of which somebody has said that they change nobody', async () => {
    const declared = (await declaredRoutes()).filter(({ method }) => isChanging(method));
    const acts = [...peopleActs, ...ownActs, ...secretActs].map(({ route }) => route);
    assert.deepEqual(
      [...new Set([...acts, ...otherRoutes])].toSorted(),
      declared.map(({ name }) => name).toSorted(),
    );
    assert.deepEqual(
      otherRoutes.filter((route) => acts.includes(route)),
      [],
    );
    const documented = apiDocuments.flatMap(({ paths }) =>
      Object.entries(paths).flatMap(([path, operations]) =>
        Object.keys(operations)
          .filter((method) => ['post', 'put', 'patch', 'delete'].includes(method))
          .map((method) => `${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`),
      ),
    );
    assert.ok(documented.length > 90);
    const known = new Set(declared.map(({ name }) => name));
    assert.deepEqual(
      documented.filter((name) => !known.has(name)),
      [],
    );
  });

  it('every command is said to change people or not to', () => {
    assert.deepEqual([...peopleVerbs, ...otherVerbs].toSorted(), listedVerbs().toSorted());
  });

  it('no cell of the table lets anybody below admin change an admin, and each has a word for everybody', () => {
    for (const [kind, rows] of Object.entries(table))
      for (const row of Object.values(rows))
        for (const said of Object.values(row)) assert.match(String(said), /^[-+P]{8}$/, kind);
    for (const cell of cells.filter(({ verdict }) => verdict === '+')) {
      const { act, who, kind } = cell;
      if (!protectedKinds.includes(act.kind) || rowOf(act, kind) !== table[act.kind].admin) continue;
      assert.ok(mayChangeAdmins.includes(who), nameOf(cell));
    }
    assert.deepEqual(
      new Set(cells.map(({ kind }) => kind)),
      new Set(targetKinds.filter((one) => one !== 'operator')),
    );
  });
});

function nameOf({ act, who, kind }: Cell): string {
  return `${act.route} ${act.form}, by ${who}, on ${kind}`;
}

function saidTo(cell: Cell, { status, text }: Answer): string {
  return `${nameOf(cell)}: ${status} ${text.slice(0, 300)}`;
}

for (const engine of engines) describe(`who may do what to whom on ${engine.name}`, () => matrix(engine));

function matrix(engine: Engine): void {
  let serving: ProvisioningService;
  let marked: Call;
  let visitors: Readonly<Record<VisitorKind, VisitorAside>>;
  const credentials = new Map<Who, Readonly<Record<string, string>>>();
  /** Everybody who signs in by it is an admin. */
  let adminGroup: string;
  let inside: string;
  let surroundings: Omit<Surroundings, 'own'>;
  let made = 0;
  const url = (): string => serving.store.databaseUrl;
  const base = (): string => serving.service.baseUrl;
  const next = (word: string): string => {
    made += 1;
    return `${word}-${made}`;
  };

  before(async () => {
    serving = await startProvisioning(engine, { ...patience, SOUNDINGS_GUARD_PERCENT: '0' });
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
    const command = async (...words: readonly string[]) =>
      JSON.parse(
        await commandHereOk([...words, '--account', '1', '--name', next('who'), '--json'], serving.env),
      );
    for (const [who, ...flags] of [
      ['token'],
      ['marked token', '--may-change-admins'],
      ['reading token', '--read-only'],
    ] as const)
      credentials.set(who, bearer((await command('provisioning-token', 'create', ...flags)).token));
    const writes = ['--grant', 'r_cx_users', '--grant', 'w_cx_users'];
    for (const [who, ...flags] of [
      ['client', ...writes],
      ['marked client', ...writes, '--may-change-admins'],
      ['reading client', '--grant', 'r_cx_users'],
    ] as const)
      credentials.set(who, bearer(await tokenFor(base(), await command('client', 'create', ...flags))));
    const token = credentials.get('marked token')!.authorization!.slice('Bearer '.length);
    marked = (method, path, options = {}) => callStandard(base(), token, method, path, options);

    visitors = await visitorsAside(url(), 1, 'who');
    for (const kind of people) credentials.set(kind, { cookie: await visitors[kind].newCookie() });
    for (const role of ['identity', 'admin'] as const) {
      const answer = await consoleCall(base(), 'POST', '/access-token', {
        cookie: credentials.get(role)!.cookie!,
      });
      assert.equal(answer.status, 201, answer.text);
      credentials.set(`access token of ${role}`, bearer(String(answer.body.token)));
    }

    const [one, other] = await addUsers(url(), 1, [
      { userName: 'inside', active: true },
      { userName: 'outsider', active: true },
    ]);
    inside = String(one);
    adminGroup = (await make(marked, '/Groups', group('Admins'))).id;
    await grantAside(url(), 1, { group: adminGroup }, 'admin');
    const [key] = await storeRows(url(), 'select kid from signing_key');
    surroundings = {
      outsider: String(other),
      connectionId: (await newTarget('connection')).id,
      signingKid: String(key!.kid),
    };
  });
  after(() => serving?.close());

  // ---- Targets

  const asAdmin = async (path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
    const answer = await consoleCall(base(), 'POST', path, {
      cookie: credentials.get('admin')!.cookie!,
      body,
    });
    assert.equal(answer.status, 201, answer.text);
    return answer.body;
  };
  const plainTarget = (kind: TargetKind, id: string, holder: string): Target => ({
    ...{ kind, id, holder, userName: '', externalId: '', displayName: '', memberId: '' },
    ...{ sessionId: 'none', passkeyId: 'none' },
  });

  async function newTarget(kind: TargetKind): Promise<Target> {
    const name = next('target');
    if (kind === 'account') return plainTarget(kind, '1', 'account 1');
    if (kind === 'token' || kind === 'marked token') {
      const { id } = await asAdmin('/provisioning-tokens', {
        name,
        mayChangeAdmins: kind === 'marked token',
      });
      return plainTarget(kind, String(id), `token ${id}`);
    }
    if (kind === 'client' || kind === 'marked client') {
      const { clientId } = await asAdmin('/api-clients', { name, mayChangeAdmins: kind === 'marked client' });
      return plainTarget(kind, String(clientId), `client ${clientId}`);
    }
    if (kind === 'connection') {
      const { id } = await asAdmin('/connections', { name, issuer: 'https://login.example', clientId: 'id' });
      return plainTarget(kind, String(id), `connection ${id}`);
    }
    if (kind === 'operator') return newOperator(name);
    return newGroup(kind, name);
  }

  async function newOperator(name: string): Promise<Target> {
    await operatorAside(url(), { name });
    const [row] = await storeRows(
      url(),
      `select operator.id, session.id as session from operator
      join session on session.account_id = 0 and session.person_id = operator.id where operator.name = '${name}'`,
    );
    const passkeyId = `key-${name}`;
    await passkeysAside(0, [{ id: String(row!.id), passkeyId }]);
    const id = String(row!.id);
    return {
      ...plainTarget('operator', id, `user 0/${id}`),
      userName: name,
      sessionId: String(row!.session),
      passkeyId,
    };
  }

  async function newGroup(kind: TargetKind, displayName: string): Promise<Target> {
    const { id } = await make(marked, '/Groups', group(displayName, [inside]));
    if (kind === 'analyst group') await grantAside(url(), 1, { group: id }, 'analyst');
    if (kind === 'admin group') await grantAside(url(), 1, { group: id }, 'admin');
    if (kind === 'group in an admin group') await joinAdmins([id]);
    return { ...plainTarget(kind, id, `group 1/${id}`), displayName, memberId: inside };
  }

  async function joinAdmins(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const value = ids.map((id) => ({ value: id }));
    const answer = await marked('PATCH', `/Groups/${adminGroup}`, {
      body: patchOf({ op: 'add', path: 'members', value }),
    });
    assert.equal(answer.status, 204, answer.text);
  }

  async function passkeysAside(
    accountId: number,
    owners: readonly Pick<Target, 'id' | 'passkeyId'>[],
    admitsAdmin = 1,
  ): Promise<void> {
    const rows = owners.map(
      ({ id, passkeyId }) => `(${accountId}, '${passkeyId}', ${id}, 'key', 'none', 0, '', 1, ${admitsAdmin})`,
    );
    await storeRows(
      url(),
      `insert into passkey (account_id, id, person_id, name, public_key, counter, transports, created_at, admits_admin)
      values ${rows.join(', ')}`,
    );
  }

  const isUser = (kind: TargetKind): boolean =>
    ([...userTargets, ...suspendedUsers] as readonly TargetKind[]).includes(kind);

  /** Users of these kinds, each with a session and a passkey. */
  async function newUsers(kinds: readonly TargetKind[]): Promise<readonly Target[]> {
    const profiles = kinds.map((kind) => {
      const userName = next('target');
      return {
        userName,
        externalId: `e-${userName}`,
        active: !kind.startsWith('suspended'),
        name: { givenName: 'Ada', familyName: 'Lovelace' },
        emails: [{ value: `${userName}@acme.example`, type: 'work', primary: true }],
      };
    });
    const ids = await addUsers(url(), 1, profiles);
    const grants = kinds.flatMap((kind, at) => {
      const role = grantedTo(kind);
      const external = kind === 'resting admin' ? `'another'` : 'null';
      return role === null ? [] : [`(1, 'user', ${ids[at]}, '${role}', 1, 'test', ${external})`];
    });
    if (grants.length > 0)
      await storeRows(
        url(),
        `insert into role_grant (account_id, holder_kind, holder_id, role, granted_at, granted_by, external_id)
        values ${grants.join(', ')}`,
      );
    await joinAdmins(kinds.flatMap((kind, at) => (kind === 'admin by group' ? [String(ids[at])] : [])));
    await sessionsAside(
      url(),
      ids.map((personId) => ({ accountId: 1, personId })),
    );
    const sessions = await storeRows(url(), 'select person_id, id from session where account_id = 1');
    const sessionOf = new Map(sessions.map(({ person_id, id }) => [Number(person_id), String(id)]));
    const targets = kinds.map(
      (kind, at): Target => ({
        ...plainTarget(kind, String(ids[at]), `user 1/${ids[at]}`),
        userName: profiles[at]!.userName,
        externalId: profiles[at]!.externalId,
        sessionId: sessionOf.get(ids[at]!)!,
        passkeyId: `key-${ids[at]}`,
      }),
    );
    await passkeysAside(1, targets);
    return targets;
  }

  async function newTargets(kinds: readonly TargetKind[]): Promise<readonly Target[]> {
    const users = [...(kinds.some(isUser) ? await newUsers(kinds.filter(isUser)) : [])];
    const others = await inParallel(
      kinds.filter((kind) => !isUser(kind)),
      newTarget,
    );
    const rest = [...others];
    return kinds.map((kind) => (isUser(kind) ? users : rest).shift()!);
  }

  // ---- What the store has

  /** All that is kept of people, groups, roles, credentials, connections and sessions, by whom it is about. */
  async function snapshot(): Promise<ReadonlyMap<string, string>> {
    const text = (column: string): string => `coalesce(cast(${column} as text), '-')`;
    const question = (table: string, holder: string, columns: string): string =>
      `select ${holder} as holder, '${table} ' || ${columns.split(' ').map(text).join(` || ' ' || `)} as said from ${table}`;
    const person = (id: string): string => `'user ' || ${text('account_id')} || '/' || ${text(id)}`;
    const rows = await storeRows(
      url(),
      [
        question('account_user', person('id'), 'revision address active profile'),
        question('user_group', `'group ' || account_id || '/' || id`, 'revision profile'),
        question('group_member', `'group ' || account_id || '/' || group_id`, 'member_id'),
        question('group_member', person('member_id'), 'group_id'),
        question(
          'role_grant',
          `holder_kind || ' ' || account_id || '/' || holder_id`,
          'role granted_by external_id',
        ),
        question(
          'session',
          person('person_id'),
          'id token_hash way connection_id entered_account_id signed_in_at ends_at admits_admin',
        ),
        question('passkey', person('person_id'), 'id name public_key counter admits_admin'),
        question('password', person('person_id'), 'hash changed_at admits_admin'),
        question('one_time_link', person('person_id'), 'code_hash purpose expires_at admits_admin'),
        question('user_connection', person('user_id'), 'connection_id'),
        question('operator', `'user 0/' || id`, 'name disabled_at'),
        question(
          'provisioning_token',
          `'token ' || id`,
          'name secret_hash expires_at revoked_at connection_id may_change_admins',
        ),
        question(
          'api_client',
          `'client ' || id`,
          'name grants disabled secret_hash older_secret_hash may_change_admins',
        ),
        question(
          'connection',
          `'connection ' || id`,
          'name issuer client_id subject_claim secret is_only tested_at',
        ),
        question(
          'setup_link',
          `'account ' || account_id`,
          'id code_hash expires_at used_at may_change_admins',
        ),
        question('role_of_value', `'account ' || account_id`, 'value role'),
        question('account', `'account ' || id`, 'name removed_at'),
        question('signing_key', `'key ' || kid`, 'signs_from'),
      ].join(' union all '),
    );
    const held = new Map<string, string[]>();
    for (const { holder, said } of rows) {
      const lines = held.get(String(holder));
      if (lines === undefined) held.set(String(holder), [String(said)]);
      else lines.push(String(said));
    }
    return new Map([...held].map(([holder, lines]) => [holder, lines.sort().join('\n')]));
  }

  function changedBetween(
    before: ReadonlyMap<string, string>,
    after: ReadonlyMap<string, string>,
  ): readonly string[] {
    const holders = new Set([...before.keys(), ...after.keys()]);
    return [...holders].filter((holder) => before.get(holder) !== after.get(holder));
  }

  // ---- Requests

  async function perform(act: Act, who: Who, target: Target, body?: unknown): Promise<Answer> {
    const asked = act.ask(target, { ...surroundings, own: next('own') });
    const sent = body ?? asked.body;
    const [method = ''] = act.route.split(' ');
    const answer = await exchange(base() + asked.path, {
      method,
      headers: {
        ...(isOfConsole(act) && { 'sec-fetch-site': 'same-origin' }),
        ...credentials.get(who)!,
        ...(sent !== undefined && { 'content-type': 'application/json' }),
      },
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    });
    if (asked.path !== '/scim/v2/Bulk' || answer.status !== 200) return answer;
    // What came of the operation within.
    const [operation] = answer.body.Operations as readonly { status: string; response?: object }[];
    return { ...answer, status: Number(operation!.status), text: JSON.stringify(operation) };
  }

  const refusals = {
    '-': { status: 403, says: /ABILITY_MISSING|needs the scope w_cx_users|only reads/ },
    P: { status: 403, says: /may not change admins/ },
    other: { status: 401, says: /./ },
  };

  it('whoever is refused is refused by what the table says, and nothing has changed anywhere', async () => {
    const kinds = targetKinds.filter((kind) => kind !== 'operator');
    const targets = new Map((await newTargets(kinds)).map((target) => [target.kind, target]));
    // An admin signs in through the connection.
    const { id: adminId } = targets.get('admin')!;
    const { id: connectionId } = targets.get('connection')!;
    await storeRows(url(), `insert into user_connection values (1, ${adminId}, '${connectionId}')`);
    await sessionAside(url(), { accountId: 1, personId: Number(adminId) }, { way: 'provider' });
    await storeRows(
      url(),
      `update session set connection_id = '${connectionId}' where account_id = 1 and person_id = ${adminId}
        and way = 'provider'`,
    );
    const asIs = await snapshot();
    assert.ok(asIs.size > 30);
    const faults: string[] = [];
    for (const act of peopleActs) {
      const refused = refusedCells.filter((cell) => cell.act === act);
      assert.ok(refused.length > 0, act.route);
      await inParallel(refused, async (cell) => {
        const { status, says } = refusals[(cell.verdict ?? 'other') as keyof typeof refusals];
        const answer = await perform(act, cell.who, targets.get(cell.kind)!);
        if (answer.status !== status || !says.test(answer.text)) faults.push(saidTo(cell, answer));
      });
      const changed = changedBetween(asIs, await snapshot());
      assert.deepEqual([changed, faults], [[], []], `${act.route} ${act.form}`);
    }
  });

  it('whoever may, does it', async () => {
    const targets = await newTargets(allowedCells.map(({ kind }) => kind));
    const withTargets = allowedCells.map((cell, at) => ({ ...cell, target: targets[at]! }));
    // There must be one to be taken back.
    await asAdmin('/setup-link', { kind: 'okta' });
    let before = await snapshot();
    const faults: string[] = [];
    for (const act of peopleActs) {
      const mine = withTargets.filter((cell) => cell.act === act);
      assert.ok(mine.length > 0, act.route);
      await inParallel(mine, async (cell) => {
        const { who, target } = cell;
        const answer = await perform(act, who, target, act.instead?.body);
        const isRight =
          act.instead === undefined ? answer.status < 300 : answer.status === act.instead.status;
        if (!isRight) faults.push(saidTo(cell, answer));
      });
      const now = await snapshot();
      const changed = changedBetween(before, now);
      before = now;
      if (act.mayStay === true || act.instead !== undefined) continue;
      const hasChanged = ({ kind, holder }: Target): boolean =>
        kind === 'account' ? changed.length > 0 : changed.includes(holder);
      for (const cell of mine)
        if (!hasChanged(cell.target)) faults.push(`${nameOf(cell)}: nothing has changed`);
    }
    assert.deepEqual(faults, []);
  });

  it('what people do to themselves reaches nobody else, whatever id they name', async () => {
    const own = await visitorsAside(url(), 1, 'own');
    const targets = await newTargets([...userTargets, 'operator']);
    for (const act of ownActs)
      for (const kind of people) {
        const cookie = await own[kind].newCookie();
        const holder = await holderOf(own[kind]);
        const before = await snapshot();
        const [method = '', path = ''] = act.route.split(' ');
        for (const target of act.names === undefined ? [targets[0]!] : targets) {
          const named = act.names === undefined ? '' : target[act.names];
          const answer = await consoleCall(
            base(),
            method,
            path.replace('/console/api', '').replace(':id', named),
            { cookie, ...('body' in act && { body: act.body }) },
          );
          assert.ok(
            act.status.includes(answer.status),
            `${act.route} by ${kind}: ${answer.status} ${answer.text}`,
          );
        }
        const changed = changedBetween(before, await snapshot());
        assert.deepEqual(
          changed.filter((one) => act.names !== undefined || one !== holder),
          [],
          `${act.route} by ${kind}`,
        );
      }
  });

  async function holderOf({ id }: VisitorAside): Promise<string> {
    if (id !== null) return `user 1/${id}`;
    // Operators who are made beside the service count downwards.
    const [row] = await storeRows(url(), 'select min(id) as id from operator where id > 800000000');
    return `user 0/${row!.id}`;
  }

  it('what is opened by a secret is not opened by a role', async () => {
    const targets = await newTargets(['no role', 'admin', 'operator']);
    const before = await snapshot();
    for (const act of secretActs)
      for (const target of targets)
        for (const who of [null, 'identity', 'admin', 'operator inside'] as const) {
          const { path = act.route.split(' ')[1]!, body, form, headers } = act.ask(target);
          const text = form ?? (body === undefined ? undefined : JSON.stringify(body));
          const answer = await exchange(base() + path, {
            method: act.route.split(' ')[0]!,
            headers: {
              'sec-fetch-site': 'same-origin',
              ...(who === null ? {} : credentials.get(who)),
              ...(text !== undefined && {
                'content-type': form === undefined ? 'application/json' : 'application/x-www-form-urlencoded',
              }),
              ...headers,
            },
            ...(text !== undefined && { body: text }),
          });
          assert.ok(
            act.status.includes(answer.status),
            `${act.route} by ${who} for ${target.kind}: ${answer.status} ${answer.text}`,
          );
        }
    assert.deepEqual(changedBetween(before, await snapshot()), []);
  });

  /** Somebody whom role identity has invited, and the code of the link. */
  async function invite(): Promise<{ readonly id: string; readonly code: string }> {
    const { status, body, text } = await consoleCall(base(), 'POST', '/users/invite', {
      cookie: credentials.get('identity')!.cookie!,
      body: { userName: next('invited') },
    });
    assert.equal(status, 200, text);
    return { id: String(body.id), code: new URL(String(body.url)).hash.slice(1) };
  }
  async function openLink(code: string): Promise<string> {
    const opened = await consoleCall(base(), 'POST', '/sign-in/link', { body: { code } });
    assert.equal(opened.status, 200, opened.text);
    return cookieSetBy(opened)!;
  }

  it('a session in which admin does not count leaves alone what an admin signs in by, and their sessions [D-819]', async () => {
    // The same, once for somebody who becomes admin and once for somebody who does not.
    for (const becomes of ['admin', 'editor'] as const) {
      const { id, code } = await invite();
      const cookie = await openLink(code);
      const personId = Number(id);
      const [first] = await storeRows(
        url(),
        `select id from session where account_id = 1 and person_id = ${id}`,
      );
      await grantAside(url(), 1, { user: id }, becomes);
      await sessionAside(url(), { accountId: 1, personId });
      await passwordAside(url(), [{ accountId: 1, personId }], 'four honest words here');
      const passkeyId = `own-${id}`;
      await passkeysAside(1, [{ id, passkeyId }]);
      const weakId = `weak-${id}`;
      await passkeysAside(1, [{ id, passkeyId: weakId }], 0);
      const rows = await storeRows(
        url(),
        `select id from session where account_id = 1 and person_id = ${id}`,
      );
      const ofOwner = rows.map((row) => String(row.id)).find((one) => one !== first!.id)!;
      const before = (await snapshot()).get(`user 1/${id}`);
      const tried = [
        ['PUT', '/me/password', { password: 'seven quiet otters paddle' }],
        ['DELETE', `/me/sessions/${ofOwner}`],
        ['PATCH', `/me/passkeys/${passkeyId}`, { name: 'mine' }],
        ['DELETE', `/me/passkeys/${passkeyId}`],
        ['DELETE', '/me/password'],
        ['DELETE', '/me/sessions'],
      ] as const;
      for (const [method, path, body] of tried) {
        const answer = await consoleCall(base(), method, path, {
          cookie,
          ...(body !== undefined && { body }),
        });
        if (becomes === 'editor') assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
        else {
          assert.deepEqual([answer.status, answer.body.code], [403, 'ABILITY_MISSING'], `${method} ${path}`);
          assert.equal((await snapshot()).get(`user 1/${id}`), before, `${method} ${path}`);
        }
      }
      if (becomes === 'editor') continue;
      // What is of such a session itself, they may.
      for (const [method, path] of [
        ['DELETE', `/me/passkeys/${weakId}`],
        ['DELETE', `/me/sessions/${first!.id}`],
      ] as const)
        assert.equal((await consoleCall(base(), method, path, { cookie })).status, 204, path);
      assert.ok((await snapshot()).get(`user 1/${id}`)?.includes(ofOwner));
    }
  });

  it('sign-ins in which admin does not count never push out a session in which it does [D-819]', async () => {
    const { id, code } = await invite();
    await grantAside(url(), 1, { user: id }, 'admin');
    const owner = { accountId: 1, personId: Number(id) };
    await sessionsAside(
      url(),
      Array.from({ length: 51 }, () => owner),
    );
    const sessions = (): ReturnType<typeof storeRows> =>
      storeRows(
        url(),
        `select id, admits_admin from session where account_id = 1 and person_id = ${id} order by id`,
      );
    const [oldest] = await sessions();
    await storeRows(
      url(),
      `update session set admits_admin = 0 where account_id = 1 and person_id = ${id} and id <> '${oldest!.id}'`,
    );
    await openLink(code);
    const kept = await sessions();
    assert.equal(kept.length, 51);
    assert.deepEqual(
      kept.filter(({ admits_admin }) => Number(admits_admin) === 1).map((row) => row.id),
      [oldest!.id],
    );
  });
}

/** Some at a time, so that nobody waits for one after the other. */
async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  let at = 0;
  const worker = async (): Promise<void> => {
    while (at < items.length) {
      const own = at;
      at += 1;
      results[own] = await work(items[own]!);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
  return results;
}
