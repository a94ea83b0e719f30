import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { shownOn } from './export-output.ts';
import { styledText, table, visible, withoutControls } from './terminal.ts';

const hostile = 'ada\u001b[2J\nroot\r\t\u0007\u007f\u009b31m\u2028\u202egnp.exe';

describe('what reaches a terminal', () => {
  it('is shown and never obeyed: control characters and turned writing are escapes [D-197]', () => {
    assert.equal(
      visible(hostile),
      'ada\\u001b[2J\\u000aroot\\u000d\\u0009\\u0007\\u007f\\u009b31m\\u2028\\u202egnp.exe',
    );
    assert.equal(withoutControls('one\ntwo \u001b'), 'one\ntwo \\u001b');
    // What people write in every language stays as it is, joined emoji too.
    const ordinary = 'Zoë Łukasz 中村 אב 👩‍👩‍👧 — “x” \\u001b';
    assert.equal(withoutControls(ordinary), ordinary);
  });

  it('is the same JSON as before [D-197]', () => {
    const value = { name: hostile };
    assert.deepEqual(JSON.parse(withoutControls(JSON.stringify(value, null, 2))), value);
  });

  it('has colours of ours alone: what a text brings along is shown, and each style ends where it began [D-514]', () => {
    assert.equal(
      styledText([{ text: 'a\u001b[31mb', style: 'good' }, { text: ' plain' }, { text: '', style: 'bad' }]),
      '\u001b[32ma\\u001b[31mb\u001b[0m plain',
    );
  });

  it('is one line for each row of a table, whatever is in its cells [D-197]', () => {
    const lines = table([
      ['NAME', 'STATE'],
      [hostile, 'active'],
      ['b', 'active'],
    ]).split('\n');
    assert.equal(lines.length, 3);
    assert.match(lines[1]!, /^ada\\u001b.* {2}active$/);
  });

  it('is also an export that somebody looks at, in whatever pieces it comes [D-197]', async () => {
    let shown = '';
    const terminal = new Writable({
      write(part: Buffer, _encoding, done) {
        shown += part.toString();
        done();
      },
    });
    const stream = shownOn(terminal);
    const bytes = Buffer.from('é,\u009b31m\nb,\u001b[2J\n');
    for (const byte of bytes) stream.write(Buffer.from([byte]));
    await new Promise<void>((resolve) => stream.end(resolve));
    assert.equal(shown, 'é,\\u009b31m\nb,\\u001b[2J\n');
  });
});
