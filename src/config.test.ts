import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Config,
  type ConfigSources,
  readConfig,
  type Setting,
  settings,
  shownSettings,
} from './config.ts';

function reading(sources: Partial<ConfigSources>): ReturnType<typeof readConfig> {
  return readConfig({
    flags: {},
    env: {},
    file: {},
    readFile: (path) => {
      throw new Error(`There is no file ${path}.`);
    },
    ...sources,
  });
}

function configOf(sources: Partial<ConfigSources>): Config {
  const result = reading(sources);
  assert.ok('config' in result, JSON.stringify(result));
  return result.config;
}

function faultsOf(sources: Partial<ConfigSources>): readonly string[] {
  const result = reading(sources);
  assert.ok('faults' in result, 'there were no faults');
  return result.faults;
}

const all = Object.values(settings) as Setting[];

describe('settings', () => {
  it('nothing said is a service for this machine alone, with the defaults of the contract [D-01] [D-13] [D-28]', () => {
    const config = configOf({});
    assert.equal(config.host, '127.0.0.1');
    assert.equal(config.port, 8080);
    assert.equal(config.databaseUrl, 'sqlite:data/soundings.db');
    assert.equal(config.publicUrl, '');
    assert.equal(config.tokenLifetimeSeconds, 7200);
    assert.equal(config.throttle, true);
    assert.deepEqual(
      [
        config.throttleClientRate,
        config.throttleClientBurst,
        config.throttleAccountRate,
        config.throttleAccountBurst,
      ],
      [100, 200, 400, 800],
    );
    assert.equal(config.throttleSigninPerMinute, 10);
    assert.deepEqual(config.trustedProxies, []);
    assert.equal(config.logLevel, 'info');
    assert.equal(config.managementPort, null);
    assert.deepEqual([config.bodyLimitBytes, config.urlLimitBytes], [1_048_576, 8_192]);
  });

  it('every setting has a name of its own and says why it is there', () => {
    const names = all.map(({ name }) => name);
    assert.deepEqual(names, [...new Set(names)]);
    for (const { name, why } of all) {
      assert.match(name, /^(HOST|PORT|DATABASE_URL(_READ)?|SOUNDINGS_[A-Z0-9_]+)$/);
      assert.match(why, /^[A-Z].*\.$/, name);
    }
  });

  it('a flag beats the environment, the environment beats the file, the file beats the default', () => {
    const flags = { port: '1' };
    const env = { PORT: '2', HOST: 'from-env' };
    const file = { PORT: 3, HOST: 'from-file', SOUNDINGS_WORKERS: 4 };
    const result = reading({ flags, env, file });
    assert.ok('config' in result);
    assert.deepEqual([result.config.port, result.config.host, result.config.workers], [1, 'from-env', 4]);
    const sourceOf = (name: string): unknown =>
      result.inForce.find(({ setting }) => setting.name === name)?.source;
    assert.deepEqual(['PORT', 'HOST', 'SOUNDINGS_WORKERS', 'SOUNDINGS_LOG_LEVEL'].map(sourceOf), [
      'flag',
      'environment',
      'file',
      'default',
    ]);
  });

  it('values come as numbers, switches, lists and texts', () => {
    const config = configOf({
      env: {
        SOUNDINGS_THROTTLE: 'off',
        SOUNDINGS_TRUSTED_PROXIES: '10.0.0.0/8, ::1 ,192.168.1.7,fd00::/8',
        SOUNDINGS_MANAGEMENT_PORT: '9090',
        SOUNDINGS_PUBLIC_URL: 'https://feedback.example/base//',
        DATABASE_URL: 'postgresql://me:secret@db:6432/soundings?sslmode=require',
      },
    });
    assert.equal(config.throttle, false);
    assert.deepEqual(config.trustedProxies, ['10.0.0.0/8', '::1', '192.168.1.7', 'fd00::/8']);
    assert.equal(config.managementPort, 9090);
    assert.equal(config.publicUrl, 'https://feedback.example/base');
    assert.equal(config.databaseUrl, 'postgresql://me:secret@db:6432/soundings?sslmode=require');
  });

  it('a file may write lists as lists, and leave a place empty where empty means something', () => {
    const config = configOf({
      file: { SOUNDINGS_TRUSTED_PROXIES: ['10.0.0.0/8', '::1'], SOUNDINGS_PUBLIC_URL: null, PORT: 8081 },
    });
    assert.deepEqual(config.trustedProxies, ['10.0.0.0/8', '::1']);
    assert.equal(config.publicUrl, '');
    assert.equal(config.port, 8081);
  });

  it('a secret may be given as a file, in the environment and in the settings file', () => {
    const readFile = (path: string): string => `postgres://me:secret@${path}/db\n`;
    assert.equal(
      configOf({ env: { DATABASE_URL_FILE: 'env' }, readFile }).databaseUrl,
      'postgres://me:secret@env/db',
    );
    assert.equal(
      configOf({ file: { DATABASE_URL_FILE: 'f' }, readFile }).databaseUrl,
      'postgres://me:secret@f/db',
    );
    const both = { env: { DATABASE_URL_FILE: 'env' }, file: { DATABASE_URL: 'sqlite:other.db' }, readFile };
    assert.equal(configOf(both).databaseUrl, 'postgres://me:secret@env/db');
  });

  it('a secret given twice or in a file that is not there is a fault', () => {
    assert.deepEqual(faultsOf({ env: { DATABASE_URL: 'sqlite:a', DATABASE_URL_FILE: 'b' } }), [
      'DATABASE_URL: given both as itself and as DATABASE_URL_FILE.',
    ]);
    assert.deepEqual(faultsOf({ env: { DATABASE_URL_FILE: '/run/secrets/none' } }), [
      'DATABASE_URL_FILE: the file /run/secrets/none cannot be read.',
    ]);
  });

  it('only secrets have a file of their own', () => {
    assert.deepEqual(faultsOf({ env: { SOUNDINGS_LOG_LEVEL_FILE: 'x' } }), [
      'SOUNDINGS_LOG_LEVEL_FILE: there is no such setting.',
    ]);
  });

  it('unknown names and bad values stop the start, all of them at once', () => {
    const faults = faultsOf({
      flags: { workers: '0' },
      env: {
        SOUNDINGS_TROTTLE: 'off',
        PORT: '80.5',
        SOUNDINGS_MANAGEMENT_PORT: 'none',
        SOUNDINGS_THROTTLE: 'false',
        SOUNDINGS_TRUSTED_PROXIES: '10.0.0.0/33',
        SOUNDINGS_TOKEN_LIFETIME_SECONDS: '59',
        SOUNDINGS_PUBLIC_URL: 'https://feedback.example/?tenant=1',
        SOUNDINGS_LOG_LEVEL: 'loud',
        DATABASE_URL: 'mysql://canary',
      },
      file: { Port: 1, HOST: { name: 'x' }, SOUNDINGS_POOL_SIZE: [5] },
    });
    const named = faults.map((fault) => fault.split(':')[0]);
    assert.deepEqual(named.toSorted(), [
      'DATABASE_URL',
      'HOST',
      'PORT',
      'Port',
      'SOUNDINGS_LOG_LEVEL',
      'SOUNDINGS_MANAGEMENT_PORT',
      'SOUNDINGS_POOL_SIZE',
      'SOUNDINGS_PUBLIC_URL',
      'SOUNDINGS_THROTTLE',
      'SOUNDINGS_TOKEN_LIFETIME_SECONDS',
      'SOUNDINGS_TROTTLE',
      'SOUNDINGS_TRUSTED_PROXIES',
      'SOUNDINGS_WORKERS',
    ]);
    assert.ok(faults.includes('PORT: must be a whole number from 0 to 65535, not "80.5".'));
    assert.doesNotMatch(faults.join('\n'), /canary/);
  });

  it('settings that contradict each other are named beside the other faults', () => {
    const faults = faultsOf({
      env: {
        DATABASE_URL: 'sqlite::memory:',
        SOUNDINGS_WORKERS: '2',
        PORT: '8080',
        SOUNDINGS_MANAGEMENT_PORT: '8080',
        SOUNDINGS_LOG_LEVEL: 'loud',
        SOUNDINGS_BODY_LIMIT_BYTES: '8388608',
        SOUNDINGS_BODIES_LIMIT_BYTES: '4194304',
      },
    });
    assert.deepEqual(
      faults.map((fault) => fault.split(':')[0]),
      ['SOUNDINGS_LOG_LEVEL', 'SOUNDINGS_BODIES_LIMIT_BYTES', 'DATABASE_URL', 'SOUNDINGS_MANAGEMENT_PORT'],
    );
    assert.equal(configOf({ env: { PORT: '0', SOUNDINGS_MANAGEMENT_PORT: '0' } }).managementPort, 0);
    assert.equal(configOf({ env: { DATABASE_URL: 'sqlite::memory:' } }).workers, 1);
  });

  it('a writer that is a standby, a standby of SQLite and a standby that is the writer are contradictions', () => {
    for (const [DATABASE_URL, DATABASE_URL_READ, fault] of [
      ['postgres://a,b/db?target_session_attrs=standby', '', /^DATABASE_URL: a standby takes no changes/],
      ['sqlite:data/soundings.db', 'postgres://b/db', /^DATABASE_URL_READ: only PostgreSQL has standbys/],
      [
        'postgres://a/db',
        'postgres://b/db?target_session_attrs=read-write',
        /^DATABASE_URL_READ: the writer/,
      ],
    ] as const) {
      const faults = faultsOf({ env: { DATABASE_URL, DATABASE_URL_READ } });
      assert.equal(faults.length, 1);
      assert.match(faults[0]!, fault);
    }
    const env = {
      DATABASE_URL: 'postgres://a,b/db?target_session_attrs=read-write',
      DATABASE_URL_READ: 'postgres://b/db',
    };
    assert.equal(configOf({ env }).databaseUrlRead, 'postgres://b/db');
  });

  it('a token lives from a minute to six hours [D-13]', () => {
    const lifetime = (text: string): ReturnType<typeof readConfig> =>
      reading({ env: { SOUNDINGS_TOKEN_LIFETIME_SECONDS: text } });
    for (const text of ['60', '21600']) assert.ok('config' in lifetime(text), text);
    for (const text of ['59', '21601', '', '1e3', '-60', ' 60', '60s', '0x60', '٦٠'])
      assert.ok('faults' in lifetime(text), text);
  });

  for (const [name, bad] of [
    ['DATABASE_URL', ['', 'sqlite:', 'data/soundings.db', 'postgres://', 'postgres:db', 'mysql://db']],
    [
      'DATABASE_URL_READ',
      ['sqlite:data/soundings.db', 'standby', 'postgres://a,b/db?target_session_attrs=no'],
    ],
    [
      'SOUNDINGS_PUBLIC_URL',
      ['example.com', 'ftp://x', 'http://a/#b', 'http://u@a', 'http://:p@a', 'javascript:1'],
    ],
    ['SOUNDINGS_TRUSTED_PROXIES', ['all', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0', '::1/129', 'proxy.example']],
    ['HOST', ['', '  ']],
  ] as const) {
    it(`${name} refuses what it cannot use: ${bad.map((text) => `"${text}"`).join(', ')}`, () => {
      for (const text of bad) {
        const faults = faultsOf({ env: { [name]: text } });
        assert.equal(faults.length, 1, text);
        assert.ok(faults[0]?.startsWith(`${name}: must`), text);
      }
    });
  }

  it('a passkey is demanded only where one can be made: under https or on localhost [D-826]', () => {
    const on = { SOUNDINGS_REQUIRE_PASSKEY: 'on' };
    for (const env of [
      on,
      { ...on, HOST: 'localhost' },
      { ...on, HOST: '0.0.0.0', SOUNDINGS_PUBLIC_URL: 'https://feedback.example' },
      { ...on, SOUNDINGS_PUBLIC_URL: 'http://localhost:8080' },
      { HOST: '0.0.0.0', SOUNDINGS_PUBLIC_URL: 'http://feedback.example' },
    ])
      assert.doesNotThrow(() => configOf({ env }), JSON.stringify(env));
    for (const env of [
      { ...on, HOST: '0.0.0.0' },
      { ...on, SOUNDINGS_PUBLIC_URL: 'http://feedback.example' },
      { ...on, HOST: '127.0.0.1', SOUNDINGS_PUBLIC_URL: 'http://10.0.0.1:8080' },
    ])
      assert.match(faultsOf({ env }).join(), /^SOUNDINGS_REQUIRE_PASSKEY: .*https/, JSON.stringify(env));
  });

  it('what Kubernetes puts beside a service called soundings is passed over, in the environment alone', () => {
    const env = {
      SOUNDINGS_SERVICE_HOST: '10.0.0.1',
      SOUNDINGS_SERVICE_PORT: '8080',
      SOUNDINGS_SERVICE_PORT_HTTP: '8080',
      SOUNDINGS_PORT: 'tcp://10.0.0.1:8080',
      SOUNDINGS_PORT_8080_TCP_ADDR: '10.0.0.1',
    };
    assert.equal(configOf({ env }).port, 8080);
    assert.deepEqual(faultsOf({ file: { SOUNDINGS_PORT: 1 } }), [
      'SOUNDINGS_PORT: there is no such setting.',
    ]);
  });

  it('the secret of one command is no setting and no fault', () => {
    assert.equal(
      configOf({ env: { SOUNDINGS_CLIENT_SECRET: 's', SOUNDINGS_CLIENT_SECRET_FILE: 'f' } }).port,
      8080,
    );
  });

  it('what is shown hides every secret, however it was given', () => {
    const shown = (DATABASE_URL: string): string => {
      const result = reading({ env: { DATABASE_URL } });
      assert.ok('config' in result);
      return JSON.stringify(shownSettings(result.inForce));
    };
    for (const address of [
      'postgres://me:canary@db/soundings',
      'postgres://me:can%40canary@db/soundings?sslmode=require',
      'postgres://db/soundings?user=me&password=canary',
      'postgres://me:canary@other:5433,db/soundings?password=canary',
    ]) {
      assert.doesNotMatch(shown(address), /canary/);
      assert.match(shown(address), /postgres:\/\/.*db\/soundings/);
    }
    assert.match(shown('sqlite:data/soundings.db'), /"sqlite:data\/soundings\.db"/);
  });

  it('how often backups are made is a time with its unit, and needs a place and a store in a file [D-297]', () => {
    const place = { SOUNDINGS_BACKUP_FOLDER: '/backups' };
    for (const [text, seconds] of [
      ['', null],
      ['1m', 60],
      ['90s', 90],
      ['6h', 21_600],
      ['1d', 86_400],
    ] as const)
      assert.equal(configOf({ env: { ...place, SOUNDINGS_BACKUP_EVERY: text } }).backupEverySeconds, seconds);
    for (const text of ['6', '59s', '32d', 'h', '6 h', '-1h', '1.5h', 'daily'])
      assert.match(
        faultsOf({ env: { ...place, SOUNDINGS_BACKUP_EVERY: text } }).join(),
        /SOUNDINGS_BACKUP_EVERY: must be empty or a time such as 30m, 6h or 1d/,
      );
    assert.match(
      faultsOf({ env: { SOUNDINGS_BACKUP_EVERY: '6h' } }).join(),
      /name the place in SOUNDINGS_BACKUP_FOLDER/,
    );
    for (const databaseUrl of ['postgres://me@db/soundings', 'sqlite::memory:'])
      assert.match(
        faultsOf({ env: { ...place, SOUNDINGS_BACKUP_EVERY: '6h', DATABASE_URL: databaseUrl } }).join(),
        /an embedded store in a file alone/,
      );
  });
});
