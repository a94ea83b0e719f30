// The files of deploy/, the Dockerfile and compose.yaml name versions, ports, paths, settings and one another: what they name is there.
// They are read, not run: npm run test:tools runs the steps of the Dockerfile (test/tools/made/image.test.ts) and asks systemd.

import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { declaredRoutes } from './support/declared-routes.ts';
import { dockerfileSteps } from './support/dockerfile.ts';
import { documentedLines } from './support/tools.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const read = (file: string): string => readFileSync(root + file, 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };
const paths = (await declaredRoutes()).map(({ path }) => path);
const settings = read('docs/settings.md');
const isSetting = (name: string): boolean =>
  name.endsWith('_FILE')
    ? settings.includes(`file named by \`${name}\``)
    : settings.includes(`\n| \`${name}\` |`);

describe('the Dockerfile', () => {
  const steps = dockerfileSteps(read('Dockerfile'));
  const of = (word: string): readonly string[] =>
    steps.filter((step) => step.word === word).map((step) => step.rest);

  it('has the version of the package, settings that there are, and copies files that there are', () => {
    assert.ok(of('ARG').includes(`VERSION=${version}`));
    for (const [, name = ''] of of('ENV')
      .join(' ')
      .matchAll(/(\w+)=/g))
      assert.ok(isSetting(name), name);
    const sources = of('COPY')
      .filter((rest) => !rest.startsWith('--from'))
      .flatMap((rest) => rest.split(' ').slice(0, -1));
    assert.ok(sources.length >= 3);
    for (const source of sources) assert.ok(existsSync(root + source), source);
    for (const [file] of of('RUN')
      .join(' ')
      .matchAll(/deploy\/[\w./-]+/g))
      assert.ok(existsSync(root + file), file);
  });

  it('ends in an image of its own with a user who is a number and not root, a health check, a signal and labels [D-683]', () => {
    assert.equal(of('FROM').at(-1), 'scratch');
    assert.match(of('USER').at(-1)!, /^[1-9]\d{3,}:[1-9]\d{3,}$/);
    assert.deepEqual(of('STOPSIGNAL'), ['SIGTERM']);
    assert.match(of('HEALTHCHECK').join(), /health\.mjs/);
    assert.match(of('LABEL').join(), /org\.opencontainers\.image\.version="\$\{VERSION\}"/);
    // No shell is there to read a line: each is a list of words.
    for (const word of ['ENTRYPOINT', 'CMD']) assert.ok(Array.isArray(JSON.parse(of(word).at(-1)!)), word);
    const asked = [...read('deploy/health.mjs').matchAll(/\}(\/\w+)`/g)].map(([, path]) => path!);
    assert.deepEqual(asked, ['/readyz']);
    assert.ok(paths.includes('/readyz'));
  });

  it('sends nothing to the build that is private, or made on this machine', () => {
    const ignored = read('.dockerignore').split('\n');
    for (const name of ['**/node_modules', '.git', 'dist', 'data', 'secrets', '.env', '**/*.db'])
      assert.ok(ignored.includes(name), name);
  });
});

interface ComposeService {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
  readonly healthcheck?: object;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

describe('compose.yaml', () => {
  const { services, secrets, volumes } = parse(read('compose.yaml'), { merge: true }) as {
    services: Readonly<Record<string, ComposeService>>;
    secrets: Readonly<Record<string, { readonly file: string }>>;
    volumes: object;
  };
  const ours = Object.entries(services).filter(([, { image }]) => image.startsWith('soundings:'));

  it('runs this version, migrated once, and waits for what each needs', () => {
    assert.deepEqual(
      ours.map(([name]) => name),
      ['migrate', 'one', 'two'],
    );
    for (const [name, service] of ours) {
      assert.equal(service.image, `soundings:${version}`, name);
      assert.equal(service.read_only, true, name);
      for (const setting of Object.keys(service.environment ?? {})) assert.ok(isSetting(setting), setting);
    }
    const waits = Object.fromEntries(
      Object.entries(services).map(([name, { depends_on = {} }]) => [
        name,
        Object.entries(depends_on).map(([other, { condition }]) => `${other} ${condition}`),
      ]),
    );
    assert.deepEqual(waits, {
      migrate: ['postgres service_healthy'],
      one: ['migrate service_completed_successfully'],
      two: ['migrate service_completed_successfully'],
      postgres: [],
      proxy: ['one service_healthy', 'two service_healthy'],
    });
    assert.ok(services.postgres?.healthcheck !== undefined);
  });

  it('holds no secret, and opens one port to this machine alone', () => {
    assert.doesNotMatch(JSON.stringify(services), /postgres:\/\/|password":/i);
    for (const [name, { secrets: used = [] }] of Object.entries(services))
      for (const secret of used) assert.ok(secret in secrets, `${name}: ${secret}`);
    const ignored = read('.gitignore').split('\n');
    for (const { file } of Object.values(secrets)) assert.match(file, /^\.\/secrets\//);
    assert.ok(ignored.includes('secrets/'));
    assert.deepEqual(
      Object.values(services).flatMap(({ ports = [] }) => ports),
      ['127.0.0.1:8080:8080'],
    );
    for (const mounted of Object.values(services).flatMap(({ volumes: used = [] }) => used)) {
      const [source = ''] = mounted.split(':');
      assert.ok(source.startsWith('./') ? existsSync(root + source) : source in volumes, source);
    }
  });

  it('has a proxy with the lines of docs/scaling.md, its replicas and the port of their health', () => {
    const port = services.one!.environment!.SOUNDINGS_MANAGEMENT_PORT!;
    const wanted = documentedLines('haproxy', {
      'server one 10.0.0.11:8080': 'server one one:8080',
      'server two 10.0.0.12:8080': 'server two two:8080',
      'check inter': `check port ${port} inter`,
    }).trim();
    const lines = read('deploy/haproxy.cfg');
    for (const line of wanted.split('\n')) assert.ok(lines.includes(line), line);
    for (const [, path = ''] of lines.matchAll(/httpchk GET (\S+)/g)) assert.ok(paths.includes(path), path);
  });
});

describe('the unit of systemd', () => {
  const unit = read('deploy/soundings.service');
  const valuesOf = (name: string): readonly string[] =>
    [...unit.matchAll(/^([A-Z]\w+)=(.*)$/gm)].filter(([, key]) => key === name).map(([, , value]) => value!);

  it('starts the program itself, anew whenever it ends, with settings of a file and patience at its end [D-720]', () => {
    const [start, ...others] = valuesOf('ExecStart');
    assert.deepEqual(others, []);
    const [program, ...words] = start!.split(' ');
    // Where npm puts the name that the package declares, under the prefix that the first lines give it.
    const { bin } = JSON.parse(read('package.json')) as { bin: Readonly<Record<string, string>> };
    const [, prefix = ''] = /npm install --global --prefix (\S+)/.exec(unit)!;
    assert.equal(program, `${prefix}/bin/${Object.keys(bin)[0]}`);
    assert.deepEqual(words, ['serve']);
    assert.deepEqual(valuesOf('Restart'), ['always']);
    assert.deepEqual(valuesOf('EnvironmentFile'), ['-/etc/soundings.env']);
    // Half a second in which it still answers, and ten for what is under way.
    assert.ok(Number(valuesOf('TimeoutStopSec')[0]) > 11);
    assert.deepEqual(valuesOf('KillMode'), ['mixed']);
    assert.ok(unit.includes(`soundings-${version}.tgz`));
    for (const [, setting = ''] of unit.matchAll(/^#?Environment=(\w+)=/gm))
      assert.ok(isSetting(setting), setting);
  });

  it('has a user of its own, no rights, and a folder that can be written to, beside that of backups if there is one [D-720]', () => {
    for (const name of ['DynamicUser', 'NoNewPrivileges', 'PrivateTmp', 'ProtectHome'])
      assert.deepEqual(valuesOf(name), ['yes'], name);
    assert.deepEqual(valuesOf('ProtectSystem'), ['strict']);
    assert.deepEqual(valuesOf('CapabilityBoundingSet'), ['']);
    assert.deepEqual(valuesOf('ReadWritePaths'), ['-/var/backups/soundings']);
    const [state] = valuesOf('StateDirectory')[0]!.split(' ');
    const store = /^Environment=DATABASE_URL=sqlite:(.*)$/m.exec(unit)![1]!;
    assert.deepEqual([`/var/lib/${state}`], valuesOf('WorkingDirectory'));
    assert.ok(store.startsWith(`/var/lib/${state}/`));
    // The lines by which operators call commands work as the same user, on the same store.
    const wrapper = /^#!\/bin\/sh\n(exec systemd-run .*?)^```/ms.exec(read('docs/operations.md'))![1]!;
    for (const part of [
      `User=${valuesOf('User')[0]} `,
      `StateDirectory=${state} `,
      `WorkingDirectory=/var/lib/${state} `,
      'EnvironmentFile=-/etc/soundings.env ',
      `DATABASE_URL=sqlite:${store} `,
      `${valuesOf('ExecStart')[0]!.split(' ')[0]} "$@"`,
    ])
      assert.ok(wrapper.includes(part), part);
  });
});

describe('the Helm chart', () => {
  const folder = 'deploy/helm/soundings';
  const values = parse(read(`${folder}/values.yaml`)) as Record<string, unknown>;
  const templates = globSync(`${folder}/templates/**/*.*`, { cwd: root });
  const texts = templates.map(read).join('\n');

  it('has the version of the package, and its values are as their schema says', () => {
    const chart = parse(read(`${folder}/Chart.yaml`)) as Record<string, unknown>;
    assert.deepEqual([chart.version, chart.appVersion], [version, version]);
    const check = new Ajv({ allowUnionTypes: true }).compile(
      JSON.parse(read(`${folder}/values.schema.json`)) as object,
    );
    assert.ok(check(values), JSON.stringify(check.errors));
    for (const wrong of [
      { replicas: 0 },
      { image: {} },
      { settings: { PATH: '/bin' } },
      { settings: { SOUNDINGS_WORKERS: 2 } },
      { service: { port: 70_000 } },
      { unknown: true },
    ])
      assert.ok(!check({ ...values, ...wrong }), JSON.stringify(wrong));
  });

  it('asks for values that there are, includes what is defined, and probes paths that are answered', () => {
    const isThere = (path: string): boolean =>
      path
        .split('.')
        .reduce<unknown>((at, name) => (at as Record<string, unknown> | undefined)?.[name], values) !==
      undefined;
    const asked = [...texts.matchAll(/\.Values\.([\w.]+)/g)].map(([, path]) => path!);
    assert.ok(asked.length > 20);
    assert.deepEqual(
      [...new Set(asked)].filter((path) => !isThere(path)),
      [],
    );
    const defined = [...texts.matchAll(/define "([\w.]+)"/g)].map(([, name]) => name!);
    for (const [, name = ''] of texts.matchAll(/include "([\w.]+)"/g))
      assert.ok(defined.includes(name), name);
    const probed = [...texts.matchAll(/^\s+path: (\/[a-z]+)$/gm)].map(([, path]) => path!);
    assert.deepEqual([...new Set(probed)].toSorted(), ['/livez', '/metrics', '/readyz']);
    for (const path of probed) assert.ok(paths.includes(path), path);
    for (const [, name = ''] of texts.matchAll(/- name: ([A-Z][A-Z_]+)$/gm)) assert.ok(isSetting(name), name);
    assert.ok(existsSync(`${root}${folder}/templates/NOTES.txt`));
  });

  it('gives every pod a user who is not root, a file system that cannot be written, and no rights [D-683]', () => {
    const pods = templates.filter((file) => /^\s*containers:$/m.test(read(file)));
    assert.equal(pods.length, 3);
    for (const file of pods)
      for (const part of [
        'soundings.podSecurity',
        'soundings.containerSecurity',
        'automountServiceAccountToken: false',
      ])
        assert.ok(read(file).includes(part), `${file}: ${part}`);
    const user = dockerfileSteps(read('Dockerfile'))
      .findLast(({ word }) => word === 'USER')!
      .rest.split(':')[0];
    for (const line of [`runAsUser: ${user}`, 'runAsNonRoot: true', 'readOnlyRootFilesystem: true'])
      assert.ok(texts.includes(line), line);
  });
});
