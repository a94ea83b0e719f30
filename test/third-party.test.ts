// What others have written and we hand on: how many packages there are, under which licences, and that the bill of materials says
// so in the words of CycloneDX.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { licenceTexts } from '../scripts/licences.ts';
import { billOfMaterials } from '../scripts/sbom.ts';
import { lockedAtRunTime, thirdParties } from '../scripts/third-party.ts';

const root = new URL('../', import.meta.url);
const packagesMax = 100;
/** They allow copies within a program of any terms, as long as their texts go along. */
const allowedLicences = [
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
];

interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly version: number;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

interface Component {
  readonly type: string;
  readonly 'bom-ref': string;
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly scope?: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses: readonly { readonly license?: { readonly id: string }; readonly expression?: string }[];
}

it('at most 100 packages are installed at run time, and none runs a script when it is installed [D-681]', () => {
  const found = thirdParties();
  const atRunTime = found.filter(({ role }) => role === 'run').map(({ place }) => place);
  // Counted by following what asks for what, and by the marks that npm itself made.
  assert.deepEqual(atRunTime, lockedAtRunTime().toSorted());
  assert.ok(atRunTime.length > 20 && atRunTime.length <= packagesMax, `${atRunTime.length} packages`);
  assert.deepEqual(
    found.filter(({ hasInstallScript }) => hasInstallScript).map(({ place }) => place),
    [],
  );
});

it('what runs and what is bundled for browsers may be handed on: its licences are among those that we know [D-682]', () => {
  const found = thirdParties();
  // Found by the imports of the sources: were that broken, there would be none.
  const bundled = found.filter(({ role }) => role === 'browser').map(({ name }) => name);
  for (const name of ['preact', '@simplewebauthn/browser', '@scalar/fastify-api-reference'])
    assert.ok(bundled.includes(name), name);
  const others = found.filter(
    ({ licence }) =>
      !licence
        .replaceAll(/[()]/g, '')
        .split(' OR ')
        .some((id) => allowedLicences.includes(id)),
  );
  assert.deepEqual(
    others.map(({ place, licence }) => `${place}: ${licence}`),
    [],
  );
});

it('the texts of the licences name every package that the bundles hold, and are the same each time [D-682]', () => {
  const text = licenceTexts();
  const missing = thirdParties()
    .filter(({ role }) => role !== 'node')
    .filter(({ name, version, licence }) => !text.includes(`${name} ${version}: ${licence}\n`));
  assert.deepEqual(missing, []);
  for (const word of [/Permission is hereby granted/, /Apache License/, /Redistribution and use/])
    assert.match(text, word);
  assert.equal(licenceTexts(), text);
});

it('the bill of materials is CycloneDX 1.6: every package once, with its hash, licence and address; the same each time [D-682]', () => {
  const text = billOfMaterials();
  assert.equal(billOfMaterials(), text);
  const bill = JSON.parse(text) as Bill;
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as { version: string };
  assert.deepEqual([bill.bomFormat, bill.specVersion, bill.version], ['CycloneDX', '1.6', 1]);
  assert.match(bill.serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/);
  assert.equal(bill.metadata.component.purl, `pkg:npm/soundings@${version}`);
  assert.equal(bill.components.length, thirdParties().length);
  const all = [bill.metadata.component, ...bill.components];
  const references = all.map((component) => component['bom-ref']);
  assert.equal(new Set(references).size, references.length);
  for (const { type, group, name, version, purl, licenses } of all) {
    assert.ok(['application', 'library', 'platform'].includes(type), purl);
    const path = group === undefined ? name : `%40${group.slice(1)}/${name}`;
    assert.equal(purl, `pkg:npm/${path}@${version}`);
    assert.equal(licenses.length, 1, purl);
    assert.ok((licenses[0]!.license?.id ?? licenses[0]!.expression ?? '') !== '', purl);
  }
  for (const { purl, hashes, scope } of bill.components) {
    assert.ok(scope === 'required' || scope === 'optional', purl);
    assert.ok(hashes?.length === 1 && hashes[0]!.alg === 'SHA-512', purl);
    assert.match(hashes[0]!.content, /^[0-9a-f]{128}$/, purl);
  }
  assert.deepEqual(
    bill.dependencies.map(({ ref }) => ref),
    references,
  );
  for (const { ref, dependsOn } of bill.dependencies) {
    assert.equal(new Set(dependsOn).size, dependsOn.length, ref);
    for (const needed of dependsOn) assert.ok(references.includes(needed), `${ref} needs ${needed}`);
  }
});
