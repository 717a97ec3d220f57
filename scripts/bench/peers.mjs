// peers runs the workloads of a folder with other interpreters and prints lines of an interpreter, a workload, and the
// transitions of states in a second of CPU time, or the reason why there are none: "differs" (another output), "fails"
// or "slow" (no run has ended within a minute).
//
//	node peers.mjs WORKLOADS FOLDER-OF-NPM
import { createRequire } from 'node:module';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Worker, isMainThread, workerData, parentPort } from 'node:worker_threads';

const [, , folder, npm] = process.argv;
const require = createRequire(join(isMainThread ? npm : workerData.npm, 'package.json'));
const read = (name) => JSON.parse(readFileSync(name, 'utf8'));
const noise = 'x'.repeat(400);

// aws-local-stepfunctions needs it, and Node.js has it from version 22 on.
Promise.withResolvers ??= () => {
  const all = {};
  all.promise = new Promise((resolve, reject) => Object.assign(all, { resolve, reject }));
  return all;
};

// tasks are the functions that the definitions call.
function tasks() {
  let calls = 0;
  return {
    identity: (input) => input,
    incr: (input) => ({ n: input.c.n + 1 }),
    work: (input) => ({ n: input.n + 1, echo: input, noise }),
    touch: (input) => ({ ok: true, keys: Object.keys(input).length }),
    flaky: (input) => {
      if (++calls % 4 !== 0) throw Object.assign(new Error('not yet'), { name: 'Flaky' });
      return { n: input.c.n + 1 };
    },
  };
}

// scopes calls a function with the states of a definition, of its branches and of its iterations.
function scopes(definition, visit) {
  for (const [name, state] of Object.entries(definition.States)) {
    visit(name, state);
    for (const inner of [...(state.Branches ?? []), state.ItemProcessor, state.Iterator]) if (inner) scopes(inner, visit);
  }
}

const interpreters = {
  'aws-local-stepfunctions'(definition) {
    const { StateMachine } = require('aws-local-stepfunctions');
    const machine = new StateMachine(definition, { validationOptions: { checkArn: false, checkPaths: false } });
    return async (input) => {
      const functions = tasks();
      const overrides = { taskResourceLocalHandlers: {}, retryIntervalOverrides: {} };
      scopes(definition, (name, state) => {
        if (state.Type === 'Task') {
          overrides.taskResourceLocalHandlers[name] = async (given) => functions[state.Resource.split(':').pop()](given);
          overrides.retryIntervalOverrides[name] = 0;
        }
      });
      return machine.run(input, { overrides }).result;
    };
  },
  async statebox(definition) {
    const Statebox = require('@wmfs/statebox');
    const box = new Statebox({});
    await box.ready;
    let functions = tasks();
    const resources = {};
    for (const name of Object.keys(functions)) {
      resources[name] = class {
        run(event, context) {
          try {
            context.sendTaskSuccess(functions[name](event));
          } catch (error) {
            context.sendTaskFailure({ error: error.name, cause: error.message });
          }
        }
      };
    }
    box.createModuleResources(resources);
    const copy = structuredClone(definition);
    scopes(copy, (name, state) => {
      if (state.Type === 'Task') state.Resource = 'module:' + state.Resource.split(':').pop();
      if (state.ItemProcessor) state.Iterator = state.ItemProcessor; // the name of 2016 is the one that it knows
    });
    await box.createStateMachines({ workload: copy }, {});
    return async (input) => {
      functions = tasks();
      const done = await box.startExecution(structuredClone(input), 'workload', { sendResponse: 'COMPLETE' });
      if (done.status !== 'SUCCEEDED') throw new Error(done.errorCode ?? done.status);
      return done.ctx;
    };
  },
};

async function measure({ interpreter, name, folder }) {
  const at = (kind) => read(join(folder, `${name}.${kind}.json`));
  const [definition, input, expected, { steps }] = ['asl', 'input', 'expected', 'meta'].map(at);
  const run = await interpreters[interpreter](definition);
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(await run(input))), expected)) return 'differs';
  let rounds = 0, spent = 0;
  for (const begun = process.cpuUsage(); spent < 1e6; rounds++) {
    await run(input);
    const used = process.cpuUsage(begun);
    spent = used.user + used.system;
  }
  return String(Math.round((rounds * steps) / (spent / 1e6)));
}

if (!isMainThread) {
  measure(workerData).then((text) => parentPort.postMessage(text), () => parentPort.postMessage('fails'));
} else {
  const names = readdirSync(folder).filter((name) => name.endsWith('.asl.json')).map((name) => name.slice(0, -'.asl.json'.length));
  for (const interpreter of Object.keys(interpreters)) {
    for (const name of names.sort()) {
      const worker = new Worker(new URL(import.meta.url), { workerData: { interpreter, name, folder, npm }, stdout: true, stderr: true });
      const slow = new Promise((done) => setTimeout(done, 60_000, 'slow').unref());
      const found = await Promise.race([slow, new Promise((done) => { worker.once('message', done); worker.once('error', () => done('fails')); })]);
      await worker.terminate();
      console.log(interpreter, name, found);
    }
  }
  process.exit(0);
}
