"""The style sheet of the page, for light and dark themes and for screens from a phone to a wide monitor.

The colours of series are those of Okabe and Ito (2008), which people with any colour vision can tell apart; they are a
little lighter in the dark theme. Lines also differ in their dashes, and areas are labelled inside.
"""

_PALETTE = """
--paper:#fbfaf7;--card:#fff;--ink:#1d2329;--soft:#5a646e;--rule:#e2ded5;--accent:#0b6e6e
"""
_DARK_PALETTE = """
--paper:#14181c;--card:#1b2126;--ink:#e7eaec;--soft:#9aa5ae;--rule:#2e363d;--accent:#5cc8c0
"""

SERIES = """
--heat:#0b6e6e;--on:#fff;--o0:#0072b2;--o1:#d55e00;--o2:#009e73;--o3:#b8578f;--o4:#56b4e9;--o5:#e69f00;
--o6:#7a6fbe;--o7:#8a8f94;--o8:#a65628;--o9:#66c2a5;--copper:#c07a45;--silver:#aab4bd;--gold:#e8b923;
--estate:#b5d99c;--duchy:#6fb36f;--province:#2f7d4f;--curse:#8e6bb0;--label:#1d2329
"""
"""The colours of series and of cards, as variables."""

DARK_SERIES = """
--heat:#5cc8c0;--on:#0d1215;--o0:#4aa8e0;--o1:#f08a45;--o2:#35c79b;--o3:#dd8bbb;--o4:#8fd0f5;--o5:#f2b740;
--o6:#a79df0;--o7:#a6adb3;--o8:#cf8a5b;--o9:#8fdcc4;--silver:#c3ccd4
"""

PICTURES = """
.lede{font-size:20px;line-height:1.5}
.note{color:var(--soft);font-size:14px;line-height:1.5}
.tiles{display:grid;grid-template-columns:1fr 1fr;gap:14px;margin:22px 0 8px;padding:0}
.tiles div{background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:14px 16px}
.tiles dd{margin:0;font-size:34px;line-height:1.15;font-variant-numeric:tabular-nums;letter-spacing:-.02em}
.tiles dt{font:500 13px/1.4 system-ui,sans-serif;color:var(--soft)}
.tiles small{font:13px system-ui,sans-serif;color:var(--soft)}
.tiles div{display:flex;flex-direction:column-reverse;justify-content:flex-end}
.grid{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,420px),1fr));gap:22px;margin:18px 0}
figure{margin:0;background:var(--card);border:1px solid var(--rule);border-radius:10px;padding:14px 14px 12px;
min-width:0}
figcaption{font-size:14px;line-height:1.45;color:var(--soft);margin-bottom:8px}
figcaption b{display:block;color:var(--ink);font-size:15.5px}
figure.single{max-width:620px}
svg{display:block;width:100%;height:auto}
svg text{font-size:12px;fill:var(--soft)}
svg .name,svg .value,svg .cell{fill:var(--ink)}
svg .axis{font-size:11.5px}
svg .value{paint-order:stroke;stroke:var(--card);stroke-width:3px}
svg .inside{fill:var(--label);font-weight:600;font-size:11.5px;paint-order:stroke;stroke:#fff;stroke-opacity:.55;
stroke-width:2.5px}
svg .cell.on{fill:var(--on)}
.grid-line,svg .grid{stroke:var(--rule);fill:none}
svg .par{stroke:var(--soft);stroke-dasharray:3 4;fill:none}
svg .line{stroke:var(--c);fill:none;stroke-width:2.4;stroke-linejoin:round}
svg .d1{stroke-dasharray:7 3}svg .d2{stroke-dasharray:2 3}svg .d3{stroke-dasharray:9 3 2 3}
svg .dot{fill:var(--c)}svg .band{fill:var(--c);opacity:.17}
svg .area{fill:var(--c);stroke:var(--card);stroke-width:1}
svg .bar{fill:var(--c)}svg .tied{fill:var(--c);opacity:.45}
svg .whisker{stroke:var(--ink);stroke-width:1.4;fill:none}
svg .heat{fill:var(--heat)}svg .none{fill:var(--rule)}
.c0{--c:var(--o0)}.c1{--c:var(--o1)}.c2{--c:var(--o2)}.c3{--c:var(--o3)}.c4{--c:var(--o4)}.c5{--c:var(--o5)}
.c6{--c:var(--o6)}.c7{--c:var(--o7)}.c8{--c:var(--o8)}.c9{--c:var(--o9)}
.copper{--c:var(--copper)}.silver{--c:var(--silver)}.gold{--c:var(--gold)}.estate{--c:var(--estate)}
.duchy{--c:var(--duchy)}.province{--c:var(--province)}.curse{--c:var(--curse)}
.legend{list-style:none;display:flex;flex-wrap:wrap;gap:2px 14px;padding:0;margin:8px 0 0;font-size:13px;
color:var(--soft)}
.legend i{display:inline-block;width:11px;height:11px;border-radius:3px;background:var(--c);margin-right:6px}
.scroll{overflow-x:auto;max-width:100%}
table{border-collapse:collapse;font:14px/1.45 system-ui,sans-serif;font-variant-numeric:tabular-nums;margin:6px 0 14px}
caption{text-align:left;color:var(--soft);padding-bottom:6px}
th,td{padding:5px 14px 5px 0;text-align:left;border-bottom:1px solid var(--rule);vertical-align:top}
th{font-weight:600;color:var(--soft)}
td.n,th.n{text-align:right;white-space:nowrap}
details{margin:10px 0;border:1px solid var(--rule);border-radius:10px;background:var(--card);padding:10px 16px}
summary{cursor:pointer;font-weight:600;font-size:15px}
pre{overflow-x:auto;font:13px/1.5 ui-monospace,Menlo,Consolas,monospace;margin:10px 0 4px}
@media (max-width:520px){.lede{font-size:18px}.tiles{gap:10px}.tiles dd{font-size:27px}figure{padding:10px}
svg text{font-size:14px}svg .inside,svg .axis{font-size:13px}
th,td{padding-right:8px}th.n{white-space:normal}}
"""
"""The rules of pictures, their captions and legends, of tiles and tables, for any page with these variables."""

_PAGE = """
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:17px/1.6 Charter,"Iowan Old Style","Palatino Linotype",
Georgia,serif;-webkit-text-size-adjust:100%}
header,main,footer{max-width:1080px;margin:0 auto;padding:0 20px}
header{padding-top:56px}
.eyebrow,nav,th,figcaption,.legend,.tiles span,footer p,footer dl,svg text,summary,
.note{font-family:system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
.eyebrow{color:var(--accent);font-size:13px;letter-spacing:.09em;text-transform:uppercase;margin:0;font-weight:600}
h1{font-size:clamp(30px,5.2vw,50px);line-height:1.12;margin:8px 0 18px;letter-spacing:-.015em;text-wrap:balance}
h2{font-size:27px;line-height:1.2;margin:64px 0 8px;padding-top:20px;border-top:1px solid var(--rule)}
h3{font-size:18px;margin:26px 0 6px}
p{max-width:68ch;margin:0 0 14px}
.first{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,440px);gap:34px;align-items:start}
@media (max-width:860px){.first{grid-template-columns:minmax(0,1fr);gap:14px}}
nav{margin:22px 0 0;font-size:14px;display:flex;flex-wrap:wrap;gap:4px 16px}
a{color:var(--accent)}
"""

_LAST = """
ol.game{padding-left:0;list-style:none;font-size:15px}
ol.game h4{font:600 13px system-ui,sans-serif;color:var(--soft);margin:14px 0 2px}
ol.game p{margin:0;max-width:none;line-height:1.45}
ol.rules{font:15px/1.7 ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
footer{margin-top:70px;padding-top:18px;padding-bottom:60px;font-size:14px;color:var(--soft)}
footer h2{margin-top:0;color:var(--ink)}
footer dl{display:grid;grid-template-columns:max-content 1fr;gap:3px 18px;margin:0 0 16px}
footer dt{font-weight:600}footer dd{margin:0;overflow-wrap:anywhere;min-width:0}
code{font:.92em ui-monospace,Menlo,Consolas,monospace;overflow-wrap:anywhere}
.first{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,440px);gap:34px;align-items:start}
@media (max-width:860px){.first{grid-template-columns:minmax(0,1fr);gap:14px}}
@media (max-width:520px){body{font-size:16px}header{padding-top:30px}header,main,footer{padding-left:14px;
padding-right:14px}h2{margin-top:44px}}
@media print{details{break-inside:avoid}figure{break-inside:avoid}}
"""

STYLE = (
    f"\n:root{{color-scheme:light dark;{_PALETTE.strip()};{SERIES.strip()}}}\n"
    f"@media (prefers-color-scheme:dark){{:root{{{_DARK_PALETTE.strip()};{DARK_SERIES.strip()}}}}}"
    f"{_PAGE}{PICTURES.strip()}{_LAST}"
)
