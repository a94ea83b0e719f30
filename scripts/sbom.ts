// The bill of materials of an installation: CycloneDX 1.6 as JSON, the same bytes for the same package-lock.json.
// "node scripts/sbom.ts" prints it, "node scripts/sbom.ts FILE" writes it.

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Manifest, root } from './package-files.ts';
import { type ThirdParty, thirdParties } from './third-party.ts';

export function billOfMaterials(): string {
  const { name, version, license, description } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  ) as Manifest;
  const found = thirdParties();
  const references = new Map(found.map((one) => [one.place, one.place]));
  const ownReference = purlOf(String(name), String(version));
  const content = {
    metadata: {
      component: {
        type: 'application',
        'bom-ref': ownReference,
        name,
        version,
        description,
        licenses: licencesOf(String(license)),
        purl: ownReference,
      },
    },
    components: found.map(componentOf),
    dependencies: [
      { ref: ownReference, dependsOn: found.map(({ place }) => place) },
      ...found.map(({ place, needs }) => ({
        ref: place,
        dependsOn: needs.filter((needed) => references.has(needed)),
      })),
    ],
  };
  const bill = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(JSON.stringify(content))}`,
    version: 1,
    ...content,
  };
  return `${JSON.stringify(bill, null, 2)}\n`;
}

function componentOf({ name, version, role, licence, integrity, place }: ThirdParty): object {
  const [group, short] = name.startsWith('@') ? (name.split('/') as [string, string]) : [null, name];
  return {
    type: role === 'node' ? 'platform' : 'library',
    'bom-ref': place,
    ...(group !== null && { group }),
    name: short,
    version,
    // One Node of several is there, the one of the system.
    scope: role === 'node' ? 'optional' : 'required',
    ...(integrity !== null && { hashes: hashesOf(integrity) }),
    licenses: licencesOf(licence),
    purl: purlOf(name, version),
    properties: [{ name: 'soundings:role', value: role }],
  };
}

const algorithms: Readonly<Record<string, string>> = {
  sha512: 'SHA-512',
  sha384: 'SHA-384',
  sha256: 'SHA-256',
};

function hashesOf(integrity: string): readonly object[] {
  return integrity.split(' ').map((one) => {
    const [algorithm = '', digest = ''] = one.split(/-(.*)/s);
    const alg = algorithms[algorithm];
    if (alg === undefined) throw new Error(`Nobody trusts a hash by ${algorithm}.`);
    return { alg, content: Buffer.from(digest, 'base64').toString('hex') };
  });
}

function licencesOf(licence: string): readonly object[] {
  return / (OR|AND|WITH) /.test(licence) ? [{ expression: licence }] : [{ license: { id: licence } }];
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** Of the form of RFC 9562, version 8: made from what it names. */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

if (import.meta.main) {
  const [file] = process.argv.slice(2);
  if (file === undefined) process.stdout.write(billOfMaterials());
  else writeFileSync(file, billOfMaterials());
}
