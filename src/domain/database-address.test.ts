import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readDatabaseAddress } from './database-address.ts';

describe('the address of a database', () => {
  it('several hosts are one address each, with the user, the database and the other parameters of all [D-230]', () => {
    const address = readDatabaseAddress(
      'postgres://me:p%40ss@first:5432,second,[::1]:6000/feedback?target_session_attrs=read-write&sslmode=require',
    );
    assert.deepEqual(address, {
      servers: [
        'postgres://me:p%40ss@first:5432/feedback?sslmode=require',
        'postgres://me:p%40ss@second/feedback?sslmode=require',
        'postgres://me:p%40ss@[::1]:6000/feedback?sslmode=require',
      ],
      wanted: 'writer',
      hosts: ['first:5432', 'second:5432', '[::1]:6000'],
      database: 'feedback',
    });
  });

  it('one host stays letter for letter what it was', () => {
    const text = 'postgresql://me:secret@db:6432/soundings?application_name=a%20b';
    const address = readDatabaseAddress(text);
    assert.deepEqual([address?.servers, address?.wanted], [[text], 'any']);
  });

  it('the words of libpq say which server is wanted', () => {
    const words = ['any', 'read-write', 'primary', 'read-only', 'standby', 'prefer-standby'];
    assert.deepEqual(
      words.map((word) => readDatabaseAddress(`postgres://a,b/db?target_session_attrs=${word}`)?.wanted),
      ['any', 'writer', 'writer', 'standby', 'standby', 'standby'],
    );
  });

  for (const text of [
    'postgres://',
    'postgres:db',
    'mysql://a,b/db',
    'postgres://a,,b/db',
    'postgres://a:1,b:x/db',
    'postgres://a:70000,b/db',
    'postgres://a,b/db?target_session_attrs=readwrite',
  ])
    it(`${text} is no address`, () => assert.equal(readDatabaseAddress(text), null));
});
