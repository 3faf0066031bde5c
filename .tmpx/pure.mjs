import { rolldown } from "rolldown";
const c = {platform: "node", resolve: { extensionAlias: { ".js": [".ts", ".js"] } }, moduleTypes: { ".py": "text" }, checks:{eval:false}, transform: { target: "node20", define: { __VERSION__: '"1"' } }};
const pure = {name:"pure", transform(code,id){ if(!/src[\\/]report[\\/]schema\.ts$/.test(id)) return; return code.replace(/(?<![\w.])(?:z|\w+Schema)\s*\.(?=\w+\()/g, "/* @__PURE__ */ $&"); }};
const b = await rolldown({...c, plugins:[pure], input: {main: "src/cli/main.ts"}});
const { output } = await b.generate({format:"cjs", entryFileNames:"[name].cjs",chunkFileNames:"[name].cjs"});
for (const o of output) if (/INTERRUPTED = /.test(o.code??"")) { const i=o.code.indexOf("INTERRUPTED = "); console.log(o.fileName,o.code.length,o.code.slice(i-200,i+2400)); }
