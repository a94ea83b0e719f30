import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { claimOfKind, doubtsOf, kindOfIssuer } from './provider-kind.ts';

describe('kinds of identity providers', () => {
  it('are told by the host of the issuer, and by nothing that only looks like it', () => {
    const tenant = '7a0c1b32-0000-4000-8000-000000000001';
    assert.equal(kindOfIssuer(`https://login.microsoftonline.com/${tenant}/v2.0`), 'entra');
    assert.equal(kindOfIssuer('https://acme.okta.com'), 'okta');
    assert.equal(kindOfIssuer('https://acme.oktapreview.com/oauth2/default'), 'okta');
    for (const issuer of [
      'https://okta.com.evil.example',
      'https://id.example/login.microsoftonline.com',
      'nonsense',
    ])
      assert.equal(kindOfIssuer(issuer), 'other', issuer);
    assert.deepEqual(
      [claimOfKind('entra'), claimOfKind('okta'), claimOfKind('other')],
      ['oid', 'sub', 'sub'],
    );
  });

  it('what can be entered and will hardly work is doubted', () => {
    const of = (issuer: string, subjectClaim: string) => doubtsOf({ issuer, subjectClaim });
    assert.deepEqual(of('https://login.microsoftonline.com/t/v2.0', 'oid'), []);
    assert.deepEqual(of('https://login.microsoftonline.com/common/v2.0', 'sub'), [
      'entraClaim',
      'entraTenant',
    ]);
    assert.deepEqual(of('https://acme.okta.com', 'sub'), []);
    assert.deepEqual(of('https://acme.okta.com/oauth2/default', 'sub'), ['oktaServer']);
    assert.deepEqual(of('https://acme.okta.com/oauth2/default', 'uid'), []);
    assert.deepEqual(of('https://id.example', 'sub'), []);
  });
});
