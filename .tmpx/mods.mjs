import { rolldown } from "rolldown";
const c = {platform: "node", resolve: { extensionAlias: { ".js": [".ts", ".js"] } }, moduleTypes: { ".py": "text" }, checks:{eval:false}, transform: { target: "node20", define: { __VERSION__: '"1"' } }, treeshake:{manualPureFunctions:["z"]}};
const b = await rolldown({...c, input: {main: "src/cli/main.ts"}});
const { output } = await b.generate({format:"cjs", entryFileNames:"[name].cjs",chunkFileNames:"[name].cjs"});
for (const o of output) { if(o.fileName==="interrupt.cjs"){for (const q of ["ZodString = ","INTERRUPTED","en_default","en()"]){const i=o.code.indexOf(q);console.log(q,i,o.code.slice(i-100,i+400));}} console.log("==", o.fileName, o.code?.length, "imports", o.imports?.join(",")); const m=Object.entries(o.modules??{}).map(([k,v])=>[v.renderedLength??v.code?.length??0,k.replace(/.*bench\//,"").replace("node_modules/","~")]).sort((a,b)=>b[0]-a[0]); for(const x of m.slice(0,+process.argv[2]||12)) if(x[0]>0) console.log("   ",...x); }
