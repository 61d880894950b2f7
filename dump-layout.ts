import { withDocument } from "./functions/engines/pdf/pdfium/page/document.ts";
import { readLayout } from "./functions/engines/pdf/pdfium/layout/read-layout.ts";
import { withScans } from "./functions/engines/pdf/ocr/scan-reader.ts";
const [file, only] = process.argv.slice(2);
await withDocument(file!, undefined, (d)=>withScans(d,{options:{},recognition:"here"}, async (doc)=>{
 const l = await readLayout(doc, only?only.split(",").map(Number):Array.from({length:doc.pages},(_,i)=>i+1), ()=>{});
 for (const p of l.pages) { console.log("PAGE",p.number,p.width.toFixed(0),p.height.toFixed(0),"scanned",p.scanned, "hdr",p.header.length,"ftr",p.footer.length,"floats",p.floats.length);
  for (const s of p.sections) for (const c of s.columns) for (const b of c.blocks) {
   if (b.kind==="table") { console.log("  TABLE",b.xs.length-1,"x",b.ys.length-1,"hdr",b.headerRows,b.found,"open",b.open); for (const cell of b.cells.slice(0,200)) console.log("    ",cell.row,cell.column,cell.rows>1||cell.columns>1?`(${cell.rows}x${cell.columns})`:"",cell.fill??"",JSON.stringify(cell.blocks.map(x=>x.kind==="paragraph"?x.runs.map(r=>r.text).join(""):x.kind).join("|"))); }
   else if (b.kind==="paragraph") console.log("  P",b.heading??"",b.align,b.runs[0]?.size,JSON.stringify(b.runs.map(r=>r.text).join("")).slice(0,100)); else console.log("  FIG",b.picture,b.left.toFixed(0),b.top.toFixed(0),b.right.toFixed(0),b.bottom.toFixed(0));
  }}
 console.log(doc.scans.warnings());
}));
