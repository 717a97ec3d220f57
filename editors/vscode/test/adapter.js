// A client of asldb dap that is as small as possible.
'use strict';

const { spawn } = require('node:child_process');

class Adapter {
  constructor(command) {
    this.child = spawn(command, ['dap'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.seq = 0;
    this.waiting = []; // what is awaited: a check of messages, and what resolves it
    this.seen = []; // the messages that nothing has awaited yet
    let rest = Buffer.alloc(0);
    this.child.stdout.on('data', (data) => {
      rest = Buffer.concat([rest, data]);
      for (;;) {
        const head = rest.indexOf('\r\n\r\n');
        if (head < 0) return;
        const end = head + 4 + Number(/Content-Length: (\d+)/i.exec(rest.subarray(0, head))[1]);
        if (rest.length < end) return;
        this.receive(JSON.parse(rest.subarray(head + 4, end)));
        rest = rest.subarray(end);
      }
    });
  }

  receive(message) {
    const i = this.waiting.findIndex(({ check }) => check(message));
    if (i < 0) this.seen.push(message);
    else this.waiting.splice(i, 1)[0].resolve(message);
  }

  // next resolves with the next message that check accepts.
  next(check) {
    const i = this.seen.findIndex(check);
    if (i >= 0) return Promise.resolve(this.seen.splice(i, 1)[0]);
    return new Promise((resolve) => this.waiting.push({ check, resolve }));
  }

  event(name) { return this.next((m) => m.type === 'event' && m.event === name); }

  // request resolves with the body of the response; it is rejected with the message of an error.
  async request(command, args) {
    const seq = ++this.seq;
    const text = JSON.stringify({ seq, type: 'request', command, arguments: args });
    this.child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    const response = await this.next((m) => m.type === 'response' && m.request_seq === seq);
    if (!response.success) throw new Error(response.message);
    return response.body;
  }

  // launch launches a configuration and lets it run.
  async launch(config) {
    await this.request('initialize', { adapterID: 'asldb' });
    await this.request('launch', config);
    await this.request('configurationDone');
  }

  async stop() {
    await this.request('disconnect');
    this.child.stdin.end();
    if (this.child.exitCode === null) await new Promise((resolve) => this.child.on('exit', resolve));
  }
}

module.exports = { Adapter };
