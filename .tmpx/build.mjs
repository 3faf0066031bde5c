import { rolldown } from "rolldown";
import { readdirSync } from "node:fs";
const c = {platform: "node", resolve: { extensionAlias: { ".js": [".ts", ".js"] } }, moduleTypes: { ".py": "text" }, checks:{eval:false}, transform: { target: "node20", define: { __VERSION__: '"1"' } }};
for (const f of readdirSync(".tmpx").filter(f=>f.endsWith(".ts"))) {
  const n=f.replace(".ts","");
  const b = await rolldown({...c, input: {x: "./.tmpx/"+f}});
  await b.write({dir: "/tmp/px/"+n, format:"cjs", entryFileNames:"x.cjs", minify:true});
  const m = await rolldown({...c, input: {main: "./.tmpx/wrap.mts"}, external:["./x.cjs"]});
  await m.write({dir: "/tmp/px/"+n, format:"cjs", entryFileNames:"main.cjs", minify:true});
}
