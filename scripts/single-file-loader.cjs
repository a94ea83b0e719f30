// The first lines of the single file, and of each of its threads: tell Node that modules of the program lie inside the file. What a
// file has as its main script may import only what is built into Node; a script of its own may import what hooks find (D-653).
'use strict';
const { enableCompileCache, isBuiltin, registerHooks } = require('node:module');
const { getAsset } = require('node:sea');
const { constants, Script } = require('node:vm');

enableCompileCache();
// There is no such folder: addresses of modules must only look like addresses of files.
const folder = process.platform === 'win32' ? 'file:///C:/soundings/' : 'file:///soundings/';
registerHooks({
  resolve(specifier, context, next) {
    if (isBuiltin(specifier)) return next(specifier, context);
    const parent = context.parentURL?.startsWith(folder) ? context.parentURL : folder;
    const url = /^(\.{0,2}\/|file:)/.test(specifier) ? new URL(specifier, parent).href : '';
    if (!url.startsWith(folder))
      throw Object.assign(new Error(`There is no module ${specifier} in this program.`), {
        code: 'MODULE_NOT_FOUND',
      });
    return { url, format: 'module', shortCircuit: true };
  },
  load(url, context, next) {
    if (!url.startsWith(folder)) return next(url, context);
    return { format: 'module', source: getAsset(url.slice(folder.length), 'utf8'), shortCircuit: true };
  },
});
// biome-ignore lint/correctness/noUnusedVariables: the lines that follow in the file call it.
const load = new Script('(address) => import(address)', {
  importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
}).runInThisContext();
