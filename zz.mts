import sharp from "sharp"; import { execFileSync, spawnSync } from "node:child_process"; import { readdirSync, statSync } from "node:fs";
import { encodings } from "/work/wt/left/functions/engines/pictures/sharp/plan.ts";
const dir="/work/shared/corpus/image/"; const all=readdirSync(dir).filter(f=>/\.(jpe?g|png|heic|webp)$/i.test(f));
const pics=[]; for (const f of all){ try{ const m=await sharp(dir+f).metadata(); if((m.width??0)*(m.height??0)>300000 && (m.pages??1)===1) pics.push(f);}catch{} }
console.log(pics.length, pics.join(" "));
const ssim=(a,b)=>Number(/All:([\d.]+)/.exec(String(spawnSync("ffmpeg",["-hide_banner","-i",a,"-i",b,"-lavfi","[0:v]format=yuv444p[a];[1:v]format=yuv444p[b];[a][b]ssim","-f","null","-"]).stderr))?.[1]);
const rows={};
for (const f of pics.slice(0,10)) {
  const base=await sharp(dir+f).rotate().resize({width:1600,height:1600,fit:"inside",withoutEnlargement:true}).flatten({background:"#fff"}).toColourspace("srgb").png().toBuffer(); await sharp(base).toFile("/tmp/left/q.png");
  for (const [fmt,q] of [["jpg",80],["jpg",85],["webp",80],["webp",75],["avif",45],["avif",50],["avif",55],["avif",60],["avif",65]]) {
    const [name,o]=encodings[fmt]({quality:q}); const out=`/tmp/left/q.${fmt}`; const info=await sharp(base)[name](o).toFile(out); await sharp(out).png({compressionLevel:1}).toFile("/tmp/left/q2.png");
    const s=ssim("/tmp/left/q2.png","/tmp/left/q.png"); (rows[fmt+q]??=[]).push([info.size,s]);
  }
}
for (const [k,v] of Object.entries(rows)) console.log(k, "bytes", Math.round(v.reduce((a,[b])=>a+b,0)/v.length), "ssim", (v.reduce((a,[,s])=>a+s,0)/v.length).toFixed(4), v.map(([b,s])=>`${(b/1000).toFixed(0)}k:${s}`).join(" "));
