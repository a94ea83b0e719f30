// How a report looks: calm, in light and dark, on a small screen, and on A4. There are no inline styles, so that the page's policy
// can name this text alone (D-512).

export const reportStyle = `
:root {
  color-scheme: light dark;
  --paper: #fff; --sheet: #f5f7f9; --ink: #18212b; --soft: #53606e; --rule: #dbe0e6; --room: #e6eaef;
  --accent: #1c618c; --band: #1c618c2b; --good: #1a6b41; --bad: #a3381c; --mark: #7a4f00;
}
@media screen and (prefers-color-scheme: dark) {
  :root {
    --paper: #11161c; --sheet: #181f27; --ink: #e6ebf0; --soft: #a5b1be; --rule: #2d3742; --room: #26303a;
    --accent: #7fc1ec; --band: #7fc1ec33; --good: #7dd3a3; --bad: #f3a48e; --mark: #e6bb6d;
  }
}
* { box-sizing: border-box; }
html { background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; -webkit-text-size-adjust: 100%; }
body { margin: 0 auto; max-width: 64rem; padding: clamp(1rem, 4vw, 3rem) clamp(1rem, 4vw, 2.5rem) 4rem; overflow-wrap: anywhere; }
h1, h2, h3, h4, p, figure, table, ul, ol, dl, dd, blockquote { margin: 0; padding: 0; }
h1 { font-size: clamp(1.6rem, 1.2rem + 2vw, 2.3rem); line-height: 1.15; letter-spacing: -0.015em; text-wrap: balance; }
h2 { font-size: 1.25rem; line-height: 1.3; margin-top: 3.5rem; padding-top: 1rem; border-top: 2px solid var(--ink); }
h3, h4 { font-size: 1rem; line-height: 1.35; }
h2 + p, h2 + p + p { margin-top: 0.35rem; }
.soft, .lead { color: var(--soft); }
.kind { color: var(--soft); font-size: 0.875rem; margin-bottom: 0.35rem; }
.lead { margin-top: 0.6rem; }
.small { font-size: 0.875rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.number, td.number, th.number { text-align: end; font-variant-numeric: tabular-nums; white-space: nowrap; }
.up { color: var(--good); }
.down { color: var(--bad); }
.change { white-space: nowrap; }
.caution { margin-top: 1rem; padding: 0.6rem 0.9rem; border-inline-start: 4px solid var(--mark); background: var(--sheet); }
.hero { display: flex; flex-wrap: wrap; align-items: baseline; gap: 0.25rem 1.5rem; margin-top: 2.25rem; }
.hero .score { font-size: clamp(3rem, 2rem + 5vw, 4.5rem); line-height: 1; font-weight: 650; letter-spacing: -0.03em; font-variant-numeric: tabular-nums; }
.hero .score small { font-size: 0.35em; font-weight: 500; color: var(--soft); letter-spacing: 0; margin-inline-start: 0.35em; }
.hero dl { display: flex; flex-wrap: wrap; gap: 0.25rem 1.75rem; }
.hero dt { color: var(--soft); font-size: 0.8125rem; }
.hero dd { font-weight: 600; }
.hero + figure { margin-top: 0.75rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.9375rem; }
caption { text-align: start; color: var(--soft); font-size: 0.875rem; padding-bottom: 0.35rem; }
th, td { text-align: start; vertical-align: baseline; padding: 0.4rem 0.75rem 0.4rem 0; border-bottom: 1px solid var(--rule); }
th:last-child, td:last-child { padding-inline-end: 0; }
thead th { font-size: 0.8125rem; font-weight: 600; color: var(--soft); }
tbody th { font-weight: 550; }
tbody th small, td small { display: block; font-weight: 400; color: var(--soft); font-size: 0.8125rem; }
.wide { overflow-x: auto; }
.wide:focus-visible, summary:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.glance { margin-top: 1.25rem; }
.said { padding-inline-start: 1.5rem; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 2rem 2.25rem; margin-top: 1.5rem; }
.tiles.fine { grid-template-columns: repeat(auto-fill, minmax(min(100%, 15rem), 1fr)); gap: 1.5rem 2rem; }
.tile { min-width: 0; break-inside: avoid; }
.tile > p { font-size: 0.875rem; color: var(--soft); }
.tile-head { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 1rem; }
.tile-head .number { font-weight: 600; }
.tile-head small { font-weight: 400; color: var(--soft); }
.latent { margin-top: 2rem; color: var(--soft); font-weight: 600; }
.latent + .tiles { margin-top: 0.75rem; }
figure { break-inside: avoid; }
.chart { display: block; width: 100%; height: auto; overflow: visible; }
.narrow-only { display: none; }
.chart text { font: 11px system-ui, "Segoe UI", Roboto, "Noto Sans", sans-serif; fill: var(--soft); font-variant-numeric: tabular-nums; }
.chart .end { text-anchor: end; }
.chart .middle { text-anchor: middle; }
.grid { stroke: var(--rule); stroke-width: 1; fill: none; }
.line { stroke: var(--accent); stroke-width: 2; fill: none; stroke-linejoin: round; stroke-linecap: round; }
.band { fill: var(--band); }
.bound { stroke: var(--accent); stroke-opacity: 0.5; stroke-width: 2; fill: none; }
.bound.wide { stroke-width: 4; stroke-linecap: round; }
.dot { fill: var(--accent); stroke: var(--accent); stroke-width: 1.5; }
.dot.few { fill: var(--paper); }
.chart .break-text { paint-order: stroke; stroke: var(--paper); stroke-width: 4px; stroke-linejoin: round; }
.before { stroke: var(--soft); stroke-width: 1; stroke-dasharray: 2 3; fill: none; }
.break { stroke: var(--mark); stroke-width: 1.5; stroke-dasharray: 4 3; fill: none; }
.chart .break-text { fill: var(--mark); }
.column, .bar-fill { fill: var(--accent); }
.bar-room { fill: var(--room); }
.bar { display: block; width: 100%; height: 0.65rem; border-radius: 2px; }
.whisker { display: block; width: 100%; min-width: 5rem; height: auto; }
td.bars { width: 40%; vertical-align: middle; }
.key { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; list-style: none; margin-top: 1rem; font-size: 0.875rem; color: var(--soft); }
.key svg { width: 1.6rem; height: 0.8rem; vertical-align: baseline; margin-inline-end: 0.35rem; overflow: visible; }
details { margin-top: 0.35rem; font-size: 0.875rem; }
summary { cursor: pointer; color: var(--accent); padding: 0.2rem 0; width: fit-content; }
details table { font-size: 0.8125rem; }
details td, details th { padding-block: 0.2rem; }
.breaks { list-style: none; margin-top: 1rem; display: grid; gap: 0.5rem; }
.breaks li { border-inline-start: 4px solid var(--mark); padding-inline-start: 0.75rem; font-size: 0.9375rem; }
.question { break-inside: avoid; }
.question + .question { margin-top: 2rem; }
.question > p { font-size: 0.875rem; color: var(--soft); margin-bottom: 0.4rem; }
.questions { margin-top: 1.5rem; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); gap: 2rem 2.5rem; }
.questions .question + .question { margin-top: 0; }
.comments { list-style: none; margin-top: 1.5rem; columns: 24rem; column-gap: 2.5rem; }
.comments li { break-inside: avoid; padding-bottom: 1.25rem; }
.comments blockquote { border-inline-start: 3px solid var(--rule); padding-inline-start: 0.9rem; white-space: pre-line; }
.comments p { font-size: 0.8125rem; color: var(--soft); padding-inline-start: calc(0.9rem + 3px); }
footer { margin-top: 3.5rem; padding-top: 1rem; border-top: 1px solid var(--rule); font-size: 0.8125rem; color: var(--soft); }
footer p + p { margin-top: 0.5rem; }
@media (max-width: 38rem) {
  .wide-only { display: none; }
  .narrow-only { display: block; }
  td.bars { width: 30%; }
  .roomy { display: none; }
  .said { padding-inline-start: 0.75rem; }
}
@media print {
  @page { size: A4; margin: 16mm 15mm; }
  html { font-size: 9.5pt; }
  body { max-width: none; padding: 0; }
  h2 { margin-top: 2rem; break-after: avoid; }
  h3, .latent { break-after: avoid; }
  .tiles { grid-template-columns: 1fr 1fr; gap: 1.25rem 2rem; }
  .tiles.fine { grid-template-columns: 1fr 1fr 1fr; }
  .questions { grid-template-columns: 1fr 1fr; }
  .comments { columns: 2; }
  .wide-only { display: block; }
  .narrow-only, details { display: none; }
  tr { break-inside: avoid; }
  .chart, .bar, .whisker { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
@media (forced-colors: active) {
  .column, .bar-fill, .dot { fill: LinkText; stroke: LinkText; }
  .line, .bound { stroke: LinkText; }
  .dot.few { fill: Canvas; }
}
`;
