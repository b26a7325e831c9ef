/* What a page of Loopscope does in a browser: programs, steps, graphs, accesses and charts from its data, questions that check
   themselves, drills.  Everything that comes from the data is put as text; nothing is ever read as HTML or run. */
"use strict";
(() => {
const D = JSON.parse(document.getElementById("data").textContent), W = D.words;
const SVG = "http://www.w3.org/2000/svg";
const fill = (node, attrs, kids) => {
  for (const [name, value] of Object.entries(attrs || {}))
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : String(value));
  for (const kid of kids) if (kid !== null && kid !== undefined) node.append(kid.nodeType ? kid : String(kid));
  return node;
};
const el = (tag, attrs, ...kids) => fill(document.createElement(tag), attrs, kids);
const svg = (tag, attrs, ...kids) => fill(document.createElementNS(SVG, tag), attrs, kids);
const say = (text, ...values) => text.replace(/%(\d)/g, (_, n) => String(values[n - 1]));
const hash = text => { let h = 0x811c9dc5; for (const b of new TextEncoder().encode(text)) h = Math.imul(h ^ b, 0x01000193) >>> 0; return h; };
const button = (text, click, more) => el("button", Object.assign({ type: "button", click }, more), text);
const lines = text => text.replace(/\n$/, "").split("\n");

/* ---- what was answered is kept where the browser lets us ---- */
const KEY = "loopscope-page " + D.key;
let kept = {};
try { kept = JSON.parse(localStorage.getItem(KEY)) || {}; } catch { kept = {}; }
const keep = (part, value) => { kept[part] = value; try { localStorage.setItem(KEY, JSON.stringify(kept)); } catch { /* a page that is only read */ } };

/* ---- code ---- */
const WORD = /("""|'''|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?)|(#.*$)|\b(def|class|with|for|in|if|else|elif|while|return|import|from|as|not|and|or|is|lambda|assert|pass|raise|try|except|True|False|None)\b/g;
const code = line => {
  const out = document.createDocumentFragment();
  let at = 0;
  for (const found of line.matchAll(WORD)) {
    out.append(line.slice(at, found.index));
    out.append(el("span", { class: found[1] ? "s" : found[2] ? "c" : "k" }, found[0]));
    at = found.index + found[0].length;
  }
  out.append(line.slice(at));
  return out;
};
const line = (text, kind, sign) => el("span", { class: "l " + kind }, sign === undefined ? null : el("i", {}, sign), code(text));
const listing = (text, label, mark) => {
  const pre = el("pre", { tabindex: 0, "aria-label": label });
  for (const one of lines(text)) pre.append(line(one, mark && one.includes(mark) ? "m" : ""));
  return pre;
};
/* ops: one letter a line, "=" in both, "-" only before, "+" only after. */
const changed = (before, after, ops, label) => {
  const a = lines(before), b = lines(after), pre = el("pre", { tabindex: 0, "aria-label": label });
  let i = 0, k = 0;
  for (const op of ops)
    if (op === "=") { pre.append(line(b[k++] || "", "", "  ")); i++; }
    else if (op === "-") pre.append(line(a[i++] || "", "g", "− "));
    else pre.append(line(b[k++] || "", "n", "+ "));
  return pre;
};

/* ---- the loops of a program, as a tree that folds ---- */
const nest = rows => {
  const root = el("ul", { class: "tree", "aria-label": W.loops }), stack = [[-1, root]];
  rows.forEach((row, at) => {
    while (stack[stack.length - 1][0] >= row.d) stack.pop();
    const [, list] = stack[stack.length - 1], more = at + 1 < rows.length && rows[at + 1].d > row.d, inner = el("ul", {});
    const head = [el("b", { style: row.f >= 0 ? `color:var(--f${row.f % 6})` : null }, row.n), row.e ? " " + row.e : "",
                  row.k ? el("span", { class: "kind" }, row.k) : null, row.x ? el("span", { class: "dim" }, "  " + row.x) : null];
    list.append(more ? el("li", {}, el("details", { open: true }, el("summary", {}, ...head), inner)) : el("li", {}, ...head));
    stack.push([row.d, inner]);
  });
  return root;
};

/* ---- views ---- */
const tabs = (list, label) => {
  const bar = el("div", { class: "bar", role: "group", "aria-label": label }), body = el("div", {}), box = el("div", {}, bar, body);
  const show = at => {
    body.replaceChildren(list[at][1]());
    [...bar.children].forEach((b, i) => b.setAttribute("aria-pressed", i === at));
  };
  list.forEach(([name], i) => bar.append(button(name, () => show(i), { "aria-pressed": false })));
  if (list.length < 2) bar.hidden = true;
  show(0);
  return box;
};

const program = v => tabs([v.nest && v.nest.length && v.first === "nest" ? [W.loops, () => nest(v.nest)] : null,
                           [W.program, () => listing(v.text, v.title || W.program, v.mark)],
                           v.nest && v.nest.length && v.first !== "nest" ? [W.loops, () => nest(v.nest)] : null,
                           v.graph ? [W.graph, () => graph(v.graph)] : null,
                           v.accesses ? [W.accesses, () => accesses(v.accesses)] : null].filter(Boolean), v.title || W.program);

const history = v => {
  const body = el("div", {}), words = el("div", { "aria-live": "polite" }), list = el("ol", { class: "steps", "aria-label": W.steps });
  const place = el("span", { class: "dim" }), n = v.steps.length;
  let now = n - 1, how = "diff";
  const mode = el("select", { "aria-label": W.show, change: e => { how = e.target.value; show(now); } },
                  ...[["diff", W.diff], ["text", W.program], ["nest", W.loops]].map(([value, name]) => el("option", { value }, name)));
  const previous = button("‹ " + W.previous, () => show(now - 1)), next = button(W.next + " ›", () => show(now + 1));
  const see = () => { list.scrollTop = list.children[now].offsetTop - list.clientHeight / 2; };
  const show = at => {
    now = Math.max(0, Math.min(n - 1, at));
    const step = v.steps[now], before = v.steps[now - 1];
    [...list.children].forEach((item, i) => { const b = item.firstChild; if (i === now) b.setAttribute("aria-current", "step"); else b.removeAttribute("aria-current"); });
    see();
    place.textContent = say(W.stepOf, now, n - 1);
    previous.disabled = now === 0;
    next.disabled = now === n - 1;
    words.replaceChildren(...step.words.map(w => el("p", {}, w)));
    body.replaceChildren(how === "nest" ? nest(step.nest) : how === "diff" && before ? changed(before.text, step.text, step.diff, W.diff)
                         : listing(step.text, W.program, v.mark));
  };
  v.steps.forEach((step, i) => list.append(el("li", {}, button(i === 0 ? W.asWritten : i + "  " + step.call, () => show(i)))));
  list.addEventListener("keydown", e => {
    const by = e.key === "ArrowDown" ? 1 : e.key === "ArrowUp" ? -1 : 0;
    if (by) { e.preventDefault(); show(now + by); list.children[now].firstChild.focus(); }
  });
  const box = el("div", {}, list, el("div", { class: "bar" }, previous, next, mode, place), words, body);
  show(now);
  requestAnimationFrame(see);
  return box;
};

/* Layers by the longest way from a source, each ordered by where its neighbours are. */
const layout = (ids, edges) => {
  const into = new Map(ids.map(i => [i, []])), layer = new Map(ids.map(i => [i, 0]));
  for (const [a, b] of edges) into.get(b).push(a);
  for (let round = 0, more = true; more && round < ids.length; round++) {
    more = false;
    for (const [a, b] of edges) if (layer.get(b) < layer.get(a) + 1 && layer.get(a) < ids.length) { layer.set(b, layer.get(a) + 1); more = true; }
  }
  const rows = [];
  for (const i of ids) (rows[layer.get(i)] = rows[layer.get(i)] || []).push(i);
  const filled = rows.filter(Boolean), at = new Map();
  filled.forEach(row => row.forEach((i, x) => at.set(i, x - row.length / 2)));
  for (let sweep = 0; sweep < 6; sweep++)
    for (const row of filled) {
      const want = new Map(row.map(i => { const near = into.get(i); return [i, near.length ? near.reduce((s, a) => s + at.get(a), 0) / near.length : at.get(i)]; }));
      row.sort((a, b) => want.get(a) - want.get(b));
      row.forEach((i, x) => at.set(i, x - (row.length - 1) / 2));
    }
  return { rows: filled, at };
};

const graph = v => {
  const folded = new Set(v.nodes.length > 60 ? v.groups.map((_, i) => i) : []), box = el("div", {}), picture = el("div", { class: "graph", tabindex: 0, "aria-label": W.graph });
  const bar = el("div", { class: "bar", role: "group", "aria-label": W.groups }), list = el("ul", {});
  const outer = group => { let found = -1; for (let g = group; g >= 0; g = v.groups[g].p) if (folded.has(g)) found = g; return found; };
  const draw = () => {
    const of = v.nodes.map((node, i) => { const g = outer(node.g); return g >= 0 ? "g" + g : "n" + i; });
    const ids = [...new Set(of)], seen = new Set(), edges = [];
    for (const [a, b] of v.edges) { const e = of[a] + ">" + of[b]; if (of[a] !== of[b] && !seen.has(e)) { seen.add(e); edges.push([of[a], of[b]]); } }
    const { rows, at } = layout(ids, edges), wide = 190, high = 84, most = Math.max(1, ...rows.map(r => r.length)), place = new Map();
    rows.forEach((row, y) => row.forEach(i => place.set(i, [(most * wide) / 2 + at.get(i) * wide, 30 + y * high])));
    const width = most * wide + 20, height = rows.length * high + 20;
    const root = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": say(W.graphOf, ids.length, edges.length) });
    for (const [a, b] of edges) {
      const [x, y] = place.get(a), [u, w] = place.get(b), s = y + 22, t = w - 22;
      root.append(svg("path", { class: "edge", d: `M${x} ${s}C${x} ${(s + t) / 2} ${u} ${(s + t) / 2} ${u} ${t}` }), svg("path", { class: "tip", d: `M${u} ${t}l-4 -8h8z` }));
    }
    for (const i of ids) {
      const [x, y] = place.get(i), group = i[0] === "g" ? v.groups[+i.slice(1)] : null, node = group ? null : v.nodes[+i.slice(1)];
      const title = group ? group.t : node.t, sub = group ? say(W.members, of.filter(o => o === i).length) : node.s || "";
      const cut = (text, n) => text.length > n ? text.slice(0, n - 1) + "…" : text;
      const open = () => { folded.delete(+i.slice(1)); draw(); };
      root.append(svg("g", group ? { tabindex: 0, role: "button", "aria-label": say(W.unfold, title), click: open, keydown: e => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); open(); } } } : {},
        svg("title", {}, title + (sub ? ", " + sub : "")), svg("rect", { class: group ? "fold" : node.k === "call" ? "call" : "box", x: x - 85, y: y - 22, width: 170, height: 44, rx: 6 }),
        svg("text", { x, y: sub ? y - 3 : y + 5, "text-anchor": "middle" }, cut(title, 22)), sub ? svg("text", { class: "sub", x, y: y + 14, "text-anchor": "middle" }, cut(sub, 28)) : null));
    }
    picture.replaceChildren(root);
    bar.replaceChildren(...v.groups.map((group, i) => button((folded.has(i) ? "▸ " : "▾ ") + group.t, () => { if (folded.has(i)) folded.delete(i); else folded.add(i); draw(); bar.children[i].focus(); }, { "aria-expanded": !folded.has(i) })));
    bar.hidden = v.groups.length === 0;
  };
  v.nodes.forEach((node, i) => {
    const from = v.edges.filter(e => e[1] === i).map(e => v.nodes[e[0]].t);
    list.append(el("li", {}, node.t + (node.s ? ", " + node.s : "") + (from.length ? " ← " + from.join(", ") : "")));
  });
  draw();
  box.append(bar, picture, el("details", {}, el("summary", {}, W.asList), list));
  return box;
};

/* The order in which memory is touched. */
const accesses = v => {
  const MOST = 128, n = v.acc.length / 4, text = el("p", { "aria-live": "off" }), slider = el("input", { type: "range", min: 0, max: n - 1, value: 0, "aria-label": W.moment });
  let now = 0, timer = 0;
  const grids = v.buffers.map(buffer => {
    const columns = buffer.shape.length ? buffer.shape[buffer.shape.length - 1] : 1, rows = Math.max(1, Math.round(buffer.n / columns));
    const w = Math.min(columns, MOST), h = Math.min(rows, MOST), size = Math.max(3, Math.min(18, Math.floor(280 / Math.max(w, h))));
    const canvas = el("canvas", { width: w * size, height: h * size, role: "img", "aria-label": say(W.bufferOf, buffer.t, buffer.shape.join(" × ")) });
    return { buffer, columns, w, h, size, canvas, box: el("figure", {}, el("figcaption", {}, `${buffer.t}  ${buffer.shape.join(" × ")}` + (w < columns || h < rows ? "  " + say(W.firstOf, w, h) : "")), canvas) };
  });
  const style = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const paint = () => {
    const colours = { old: style("--soft"), trail: style("--new"), read: style("--accent"), write: style("--f1") };
    for (const g of grids) g.canvas.getContext("2d").clearRect(0, 0, g.canvas.width, g.canvas.height);
    for (let i = 0; i <= now; i++) {
      const g = grids[v.acc[4 * i]], e = v.acc[4 * i + 1], y = Math.floor(e / g.columns), x = e % g.columns;
      if (x >= g.w || y >= g.h) continue;
      const c = g.canvas.getContext("2d");
      c.fillStyle = i >= now - 2 ? (v.acc[4 * i + 2] & 1 ? colours.write : colours.read) : i > now - 40 ? colours.trail : colours.old;
      c.fillRect(x * g.size, y * g.size, Math.max(1, g.size - 1), Math.max(1, g.size - 1));
    }
    const b = v.buffers[v.acc[4 * now]], index = [];
    for (let e = v.acc[4 * now + 1], d = b.shape.length - 1; d >= 0; d--) { index.unshift(e % b.shape[d]); e = Math.floor(e / b.shape[d]); }
    let fetched = 0;
    for (let i = 0; i <= now; i++) fetched += v.acc[4 * i + 2] >> 1;
    text.textContent = say(W.accessOf, now + 1, n, v.acc[4 * now + 2] & 1 ? W.writes : W.reads, `${b.t}[${index.join(", ")}]`, v.moments[v.acc[4 * now + 3]] || "", fetched);
    slider.value = now;
    slider.setAttribute("aria-valuetext", text.textContent);
  };
  const go = at => { now = Math.max(0, Math.min(n - 1, at)); paint(); };
  const play = button("▶ " + W.play, () => {
    if (timer) { clearInterval(timer); timer = 0; }
    else timer = setInterval(() => { if (!play.isConnected || now >= n - 1) { clearInterval(timer); timer = 0; play.textContent = "▶ " + W.play; } else go(now + 1); }, 60);
    play.textContent = timer ? "❚❚ " + W.pause : "▶ " + W.play;
  });
  slider.addEventListener("input", () => go(+slider.value));
  const box = el("div", {}, el("div", { class: "bar" }, button("‹", () => go(now - 1), { "aria-label": W.previous }), play, button("›", () => go(now + 1), { "aria-label": W.next }), slider), text, el("div", { class: "grids" }, ...grids.map(g => g.box)));
  requestAnimationFrame(paint);
  return box;
};

const median = list => { const s = [...list].sort((a, b) => a - b), m = s.length >> 1; return s.length % 2 ? s[m] : (s[m - 1] + s[m]) / 2; };
const time = s => s < 1e-6 ? (s * 1e9).toFixed(0) + " ns" : s < 1e-3 ? (s * 1e6).toPrecision(3) + " µs" : s < 1 ? (s * 1e3).toPrecision(3) + " ms" : s.toPrecision(3) + " s";
const chart = v => {
  const rows = v.rows.map(r => [r.n, median(r.s)]), most = Math.max(...rows.map(r => r[1])), least = Math.min(...rows.map(r => r[1])), log = most / least > 20;
  const width = t => log ? 8 + 92 * Math.log(t / least) / Math.log(most / least) : 100 * t / most;
  return el("div", { role: "group", "aria-label": W.times }, log ? el("p", { class: "dim" }, W.logarithmic) : null,
            ...rows.map(([name, t]) => el("div", { class: "barrow" }, el("span", {}, name), el("div", { style: `width:${width(t).toFixed(1)}%` }), el("span", {}, time(t)))), el("p", { class: "dim" }, W.recorded));
};
const table = v => el("div", { class: "scroll", tabindex: 0, "aria-label": v.title || W.table }, el("table", {}, v.columns && v.columns.length ? el("tr", {}, ...v.columns.map(c => el("th", {}, c))) : null,
                      ...v.rows.map(r => el("tr", {}, ...r.map(c => el("td", {}, c))))));
const picture = v => el("img", { alt: v.title || "", src: "data:" + (v.type === "svg" ? "image/svg+xml" : "image/png") + ";base64," + v.data });

/* ---- the passes of a compiler ---- */
const signed = text => text[0] === "@" ? el("span", { class: "l c" }, "⋯ " + say(W.lineSame, text.slice(1)))
  : el("span", { class: "l " + (text[0] === "+" ? "n" : text[0] === "-" ? "g" : "") }, el("i", {}, text[0] === "-" ? "− " : text[0] + " "), text.slice(1));
/* A colour for each source line; neighbours are far apart. */
const sourceColour = n => n ? { style: "box-shadow:inset 4px 0 hsl(" + (n * 137) % 360 + " 65% 50%)", title: W.sourceLine + " " + n } : {};
const placed = (d, text, i) => { const node = signed(text), mark = d.s && d.s[i] ? sourceColour(d.s[i]) : {}; for (const k in mark) node.setAttribute(k, mark[k]); return node; };
const passWords = p => p.c ? (p.c.some(n => n) ? "+" + p.c[0] + " −" + p.c[1] + " ~" + p.c[2] + (p.c[3] ? " →" + p.c[3] : "") : W.namesOnly) : p.q ? W.nothingBefore : W.noEffect;
const duration = s => s >= 1 ? s.toFixed(2) + " s" : s >= 1e-3 ? (s * 1e3).toFixed(2) + " ms" : s >= 1e-6 ? (s * 1e6).toFixed(2) + " µs" : (s * 1e9).toFixed(1) + " ns";
/* What a pass took, or the program behind it where it was run: in words, and as a bar beside the longest. */
const passTime = p => p.r !== undefined ? [p.r ? say(W.runsIn, duration(p.r / 1e9)) : "", p.w ? say(W.wrongResult, p.w) : ""].filter(x => x).join(" · ") : p.s === undefined ? "" : duration(p.s);
const passBar = (p, most) => {
  const share = p.r !== undefined ? p.r / most.r : most.r ? 0 : (p.s || 0) / (most.s || 1);
  return share > 0 ? [el("i", { class: p.w ? "share wrong" : "share", "aria-hidden": "true", style: "width:" + Math.max(1, Math.round(100 * share)) + "%" })] : [];
};
const mentions = (p, word) => (p.p + " " + p.u).toLowerCase().includes(word) || (p.d || []).some(d => d.f.toLowerCase().includes(word) || d.l.some(l => l.toLowerCase().includes(word)));
/* Rows of the list: passes that are wanted, in `nested` below what they ran on, as far as that is unfolded. A nest has a `nest`, a pass its number `n`. */
const passRows = (v, wanted, nested, open) => {
  const rows = [], put = new Set();
  const into = k => {           /* false: something around it is folded */
    if (k === undefined || k < 0) return true;
    const shown = into(v.nests[k][1]);
    if (shown && !put.has(k)) { put.add(k); rows.push({ nest: k, n: v.nests[k][2], deep: depth(v, k) }); }
    return shown && open(k);
  };
  v.dumps.forEach((p, n) => { if (wanted(p) && (!nested || into(p.i))) rows.push({ n, deep: nested ? depth(v, p.i) + 1 : 0 }); });
  return rows;
};
const depth = (v, k) => k === undefined || k < 0 ? -1 : 1 + depth(v, v.nests[k][1]);
const passes = v => {
  const list = el("ol", { class: "passes", tabindex: 0, "aria-label": W.passes }), pane = el("div", { class: "pass", "aria-live": "polite" });
  const filter = el("input", { type: "search", "aria-label": W.filter, placeholder: W.filter }), only = el("input", { type: "checkbox", checked: true }), count = el("span", { class: "dim" });
  const nested = el("input", { type: "checkbox" }), unfolded = new Set();
  const most = { r: Math.max(0, ...v.dumps.map(p => p.r || 0)), s: Math.max(0, ...v.dumps.map(p => p.s || 0)) };
  let rows = [], at = -1;
  const nestWords = k => say(W.nestOf, v.nests[k][3] - v.nests[k][2], v.nests[k][4]);
  const read = p => p.e === undefined ? "" : v.readers[p.e];
  const showNest = k => pane.replaceChildren(el("h2", {}, v.nests[k][0]), el("p", { class: "dim" }, nestWords(k)));
  const showPass = n => {
    const p = v.dumps[n];
    pane.replaceChildren(el("h2", {}, (n + 1) + "  " + p.p), el("p", { class: "dim" }, [p.u, passWords(p), passTime(p)].filter(x => x).join(" · ")), ...(read(p) ? [el("p", { class: "dim reader" }, read(p))] : []),
                         ...(p.d || []).flatMap(d => [el("h3", {}, d.f), ...(read(d) ? [el("p", { class: "dim reader" }, read(d))] : []),
                                                      el("pre", { tabindex: 0, "aria-label": W.diff + ": " + d.f }, ...d.l.map((text, i) => placed(d, text, i)))]),
                         ...(p.c && !p.d ? [el("p", {}, W.noRoom)] : []));
  };
  const show = i => {
    if (i < 0 || i >= rows.length) return;
    if (rows[at]) rows[at].node.setAttribute("aria-selected", "false");
    at = i;
    rows[at].node.setAttribute("aria-selected", "true");
    rows[at].node.scrollIntoView({ block: "nearest" });
    list.setAttribute("aria-activedescendant", rows[at].node.id);
    if (rows[at].nest === undefined) showPass(rows[at].n); else showNest(rows[at].nest);
  };
  const fold = (k, open) => { if (open) unfolded.add(k); else unfolded.delete(k); fill(); };
  const passNode = (row, i) => {
    const p = v.dumps[row.n];
    return el("li", { role: nested.checked ? "treeitem" : "option", id: "pass" + row.n, class: p.c ? "" : "dim", "aria-selected": "false", click: () => { show(i); list.focus(); } },
              el("b", {}, (row.n + 1) + "  " + p.p), el("span", { class: "dim" }, [p.u, passWords(p), passTime(p)].filter(x => x).join(" · ")), ...passBar(p, most));
  };
  const nestNode = (row, i, open) => el("li", { role: "treeitem", id: "nest" + row.nest, class: "nest" + (v.nests[row.nest][4] ? "" : " dim"), "aria-selected": "false", "aria-expanded": open ? "true" : "false",
                                                click: () => { show(i); list.focus(); fold(row.nest, !open); } },
                                        el("b", {}, (open ? "▾ " : "▸ ") + v.nests[row.nest][0]), el("span", { class: "dim" }, nestWords(row.nest)));
  const fill = () => {
    const word = filter.value.toLowerCase(), kept = rows[at], open = k => word !== "" || unfolded.has(k);
    const wanted = p => !(only.checked && !p.c && p.r === undefined) && (!word || mentions(p, word));
    rows = passRows(v, wanted, nested.checked, open);
    list.setAttribute("role", nested.checked ? "tree" : "listbox");
    rows.forEach((row, i) => {
      row.node = row.nest === undefined ? passNode(row, i) : nestNode(row, i, open(row.nest));
      if (nested.checked) { row.node.setAttribute("aria-level", row.deep + 1); row.node.setAttribute("style", "padding-inline-start:" + (0.7 + 1.1 * row.deep) + "rem"); }
    });
    list.replaceChildren(...rows.map(row => row.node));
    count.textContent = say(W.foundIn, v.dumps.filter(wanted).length);
    at = -1;
    const same = kept ? rows.findIndex(r => r.nest === kept.nest && r.n === kept.n) : -1;
    show(same >= 0 ? same : Math.max(0, rows.findIndex(r => kept && r.n >= kept.n)));
    if (!rows.length) pane.replaceChildren();
  };
  const parent = () => { for (let i = at - 1; i >= 0; i--) if (rows[i].deep < rows[at].deep) return i; return at; };
  list.addEventListener("keydown", e => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1, PageDown: Math.min(at + 10, rows.length - 1), PageUp: Math.max(at - 10, 0) }[e.key];
    const row = rows[at], expanded = row && row.node.getAttribute("aria-expanded");
    if (to !== undefined) show(to);
    else if (!nested.checked || !row) return;
    else if (e.key === "*") { v.nests.forEach((n, k) => unfolded.add(k)); fill(); }
    else if (e.key === "ArrowRight" && expanded === "false") fold(row.nest, true);
    else if (e.key === "ArrowRight" && expanded === "true") show(at + 1);
    else if (e.key === "ArrowLeft" && expanded === "true") fold(row.nest, false);
    else if (e.key === "ArrowLeft") show(parent());
    else if ((e.key === "Enter" || e.key === " ") && expanded) fold(row.nest, expanded === "false");
    else return;
    e.preventDefault();
  });
  filter.addEventListener("input", fill);
  only.addEventListener("change", fill);
  nested.addEventListener("change", () => {     /* the pass that is shown stays in the open */
    for (let k = nested.checked && rows[at] ? v.dumps[rows[at].n].i : undefined; k !== undefined && k >= 0; k = v.nests[k][1]) unfolded.add(k);
    fill();
  });
  const effective = v.dumps.filter(p => p.c).length;
  fill();
  return el("div", {}, el("p", {}, say(W.effectCount, effective, v.dumps.length), v.out ? " " + say(W.noRoomOf, v.out) : ""),
            el("div", { class: "bar" }, filter, el("label", {}, only, " " + W.onlyEffect), ...(v.nests.length ? [el("label", {}, nested, " " + W.nested)] : []), count),
            el("div", { class: "passview" }, list, pane));
};

/* A run, statement by statement, with the teacher's stops and what is asked there. */
const runs = v => {
  const MOST = 24, n = v.steps.length, text = el("p", { "aria-live": "polite" }), slider = el("input", { type: "range", min: 0, max: n, value: 0, "aria-label": W.statement });
  const pre = el("pre", { tabindex: 0, "aria-label": W.program }), rows = lines(v.text).map(one => line(one, ""));
  const question = el("div", { class: "ask" }), answered = {};
  let now = 0;
  pre.append(...rows);
  const tables = v.buffers.map((buffer, b) => {
    const columns = buffer.shape.length ? buffer.shape[buffer.shape.length - 1] : 1, h = Math.min(MOST, Math.max(1, Math.round(buffer.v.length / columns))), w = Math.min(MOST, columns), cells = [];
    const body = el("table", { class: "cells" });
    for (let y = 0; y < h; y++) {
      const row = el("tr", {});
      for (let x = 0; x < w; x++) { const cell = el("td", {}); cells.push([y * columns + x, cell]); row.append(cell); }
      body.append(row);
    }
    return { b, cells, box: el("figure", {}, el("figcaption", {}, `${buffer.t}  ${buffer.shape.join(" × ")}`), el("div", { class: "scroll", tabindex: 0, "aria-label": buffer.t }, body)) };
  });
  const stop = i => i < n && v.steps[i][2] === 1;
  const nextWrite = at => { for (let i = at; i < n; i++) for (const a of v.steps[i][3]) if (a[2]) return a; return null; };
  const number = x => x === null ? "NaN" : String(+(+x).toPrecision(4));
  const isRight = (given, wanted) => v.ask === "value" ? given !== "" && Math.abs(Number(given) - wanted[3]) <= 5e-3 * Math.max(Math.abs(wanted[3]), 1e-9) : given === wanted[4].replace(/\s/g, "");
  if (v.key && kept[v.key] && kept[v.key].kind === "stops")
    for (const one of kept[v.key].value.split("\n")) if (/^\d+ ./.test(one)) answered[parseInt(one)] = one.slice(one.indexOf(" ") + 1).replace(/\s/g, "");
  const ask = () => {
    question.replaceChildren();
    const wanted = nextWrite(now);
    if (!v.ask || !stop(now) || !wanted) return;
    const verdict = el("span", { class: "verdict", role: "status" });
    if (answered[now]) {
      const all = Object.keys(answered).filter(at => stop(+at) && nextWrite(+at)), good = isRight(answered[now], wanted);
      verdict.textContent = `${answered[now]}  ${good ? "✓" : "✗"} ` + say(W.becomes, wanted[4], number(wanted[3])) + " " + say(W.rightOf, all.filter(at => isRight(answered[at], nextWrite(+at))).length, all.length);
      verdict.className = "verdict " + (good ? "good" : "bad");
      question.append(verdict);
      return;
    }
    const field = el("input", { type: "text", size: 10, "aria-label": v.ask === "value" ? W.whichValue : W.whichElement });
    const check = () => {
      const given = field.value.replace(/\s/g, "");
      if (!given) return;
      answered[now] = given;
      if (v.key) keep(v.key, { kind: "stops", value: Object.keys(answered).map(Number).sort((a, b) => a - b).map(at => `${at} ${answered[at]}\n`).join("") });
      paint();
      question.focus();
    };
    field.addEventListener("keydown", event => { if (event.key === "Enter") check(); });
    question.append(el("label", {}, (v.ask === "value" ? W.whichValue : W.whichElement) + " ", field), " ", button(W.check, check));
  };
  const paint = () => {
    const step = now < n ? v.steps[now] : null, hides = v.ask && stop(now) && !answered[now];
    for (const t of tables) {
      const values = [...v.buffers[t.b].v], known = [...v.buffers[t.b].w], touched = {};
      for (let i = 0; i < now; i++) for (const a of v.steps[i][3]) if (a[0] === t.b && a[2]) { values[a[1]] = a[3]; known[a[1]] = 1; }
      if (step && !hides) for (const a of step[3]) if (a[0] === t.b) touched[a[1]] = a[2] ? "writes" : touched[a[1]] || "reads";
      for (const [e, cell] of t.cells) { cell.textContent = known[e] ? number(values[e]) : "·"; cell.className = touched[e] || ""; }
    }
    rows.forEach((row, i) => row.classList.toggle("m", step !== null && i + 1 === step[0]));
    if (step && rows[step[0] - 1]) pre.scrollTop = rows[step[0] - 1].offsetTop - pre.clientHeight / 2;
    text.textContent = step ? say(W.beforeStatement, now + 1, n) + (step[1] ? " " + step[1] : "") : say(v.whole ? W.runOver : W.runPart, n);
    slider.value = now;
    slider.setAttribute("aria-valuetext", text.textContent);
    ask();
  };
  const go = at => { now = Math.max(0, Math.min(n, at)); paint(); };
  const seek = way => { let at = now + way; while (at > 0 && at < n && !stop(at)) at += way; go(at); };
  slider.addEventListener("input", () => go(+slider.value));
  question.tabIndex = -1;
  const box = el("div", { class: "run" }, el("div", { class: "bar" }, button("⏮", () => seek(-1), { "aria-label": W.lastStop }), button("‹", () => go(now - 1), { "aria-label": W.previous }),
                 button("›", () => go(now + 1), { "aria-label": W.next }), button("⏭", () => seek(1), { "aria-label": W.nextStop }), slider), text, question, pre, el("div", { class: "grids" }, ...tables.map(t => t.box)));
  requestAnimationFrame(paint);
  return box;
};

const VIEWS = { run: runs, passes, program, history, graph: v => v.text ? tabs([[W.graph, () => graph(v.graph)], [W.program, () => listing(v.text, W.program)]], W.graph) : graph(v.graph), accesses, chart, table, picture };
for (const place of document.querySelectorAll("[data-view]")) {
  const v = D.views[+place.dataset.view];
  if (v && VIEWS[v.kind]) place.replaceChildren(VIEWS[v.kind](v));
}
for (const pre of document.querySelectorAll("pre[data-code]")) {
  const text = pre.textContent;
  pre.replaceChildren(...lines(text).map(one => line(one, "")));
}

/* ---- questions ---- */
const settle = (verdict, right, text) => { verdict.textContent = (right ? "✓ " : "✗ ") + text; verdict.className = "verdict " + (right ? "good" : "bad"); };
for (const box of document.querySelectorAll("section[data-question]")) {
  const q = D.questions[+box.dataset.question], verdict = box.querySelector(".verdict"), answer = box.querySelector(".answer"), check = box.querySelector("button.primary"), giveUp = box.querySelector("button.show");
  if (q.before) box.querySelector(".pair").replaceChildren(changed(q.before, q.after, q.diff, W.diff));
  const radios = [...box.querySelectorAll("input[type=radio]")];
  const isRight = i => hash(D.key + ":" + q.key + ":" + i) === q.right;
  const cell = q.cell ? document.querySelector(`section[data-cell="${+q.cell}"]`) : null;
  if (cell) cell.hidden = true;          /* what the question is about is its answer */
  const reveal = () => { if (answer) answer.hidden = false; if (cell) cell.hidden = false; giveUp.hidden = true; };
  const judge = save => {
    const i = radios.findIndex(r => r.checked);
    if (radios.length && i < 0) { verdict.textContent = W.chooseFirst; verdict.className = "verdict"; return; }
    if (radios.length === 0 || isRight(i)) { if (radios.length) settle(verdict, true, W.right); reveal(); }
    else settle(verdict, false, (q.replies && q.replies[i]) || W.tryAgain);
    if (save) keep(q.key, { kind: q.kind, value: radios.length ? (q.values ? q.values[i] : radios[i].parentNode.textContent.trim()) : (box.querySelector("textarea.free") || { value: "" }).value });
  };
  check.addEventListener("click", () => judge(true));
  giveUp.addEventListener("click", () => {
    const i = radios.findIndex((_, k) => isRight(k));
    if (i >= 0) { radios[i].checked = true; settle(verdict, true, W.itIs); }
    reveal();
  });
  box.addEventListener("keydown", e => { if (e.key === "Enter" && e.target.type === "radio") { e.preventDefault(); judge(true); } });
  const before = kept[q.key];
  if (before && radios.length) {
    const i = q.values ? q.values.indexOf(before.value) : radios.findIndex(r => r.parentNode.textContent.trim() === before.value);
    if (i >= 0) { radios[i].checked = true; judge(false); }
  }
}
for (const box of document.querySelectorAll("section[data-exercise]")) {
  const q = D.questions[+box.dataset.exercise], area = box.querySelector("textarea"), hints = [...box.querySelectorAll(".hint")], more = box.querySelector("button.hint-next");
  if (kept[q.key]) area.value = kept[q.key].value;
  area.addEventListener("input", () => keep(q.key, { kind: "exercise", value: area.value }));
  area.addEventListener("keydown", e => {
    if (e.key === "Tab" && !e.shiftKey && !area.dataset.leave) { e.preventDefault(); area.setRangeText("    ", area.selectionStart, area.selectionEnd, "end"); keep(q.key, { kind: "exercise", value: area.value }); }
    area.dataset.leave = e.key === "Escape" ? "1" : "";
  });
  if (more) more.addEventListener("click", () => { const next = hints.find(h => h.hidden); if (next) next.hidden = false; more.hidden = !hints.some(h => h.hidden); });
}

/* ---- drills without end, from the traces of the page ---- */
const traces = D.views.filter(v => v.kind === "history" && v.steps.length > 1);
const drill = document.getElementById("drill");
if (drill && traces.length) {
  const body = el("div", {}), pick = list => list[Math.floor(Math.random() * list.length)];
  const shuffle = list => { for (let i = list.length - 1; i > 0; i--) { const k = Math.floor(Math.random() * (i + 1)); [list[i], list[k]] = [list[k], list[i]]; } return list; };
  const name = call => (call.match(/(\w+)\(/) || [null, call])[1];
  const all = [...new Set(traces.flatMap(t => t.steps.slice(1).map(s => name(s.call))))];
  const others = ["split", "fuse", "reorder", "vectorize", "parallel", "unroll", "compute_at", "reverse_compute_at", "compute_inline", "cache_write", "decompose_reduction"];
  let last = "", count = 0, right = 0;
  const ask = () => {
    let trace, at, tries = 0;
    do { trace = pick(traces); at = 1 + Math.floor(Math.random() * (trace.steps.length - 1)); } while (traces.indexOf(trace) + "." + at === last && ++tries < 20);
    last = traces.indexOf(trace) + "." + at;
    const step = trace.steps[at], before = trace.steps[at - 1], coming = at + 1 < trace.steps.length && Math.random() < 0.4;
    const subject = coming ? trace.steps[at + 1] : step, truth = name(subject.call);
    const wrong = shuffle([...new Set([...all, ...others])].filter(n => n !== truth)).slice(0, 3), choices = shuffle([truth, ...wrong]);
    const verdict = el("p", { class: "verdict", role: "status" }), after = el("div", {});
    const buttons = choices.map(c => button(c, () => {
      const good = c === truth;
      count++; if (good) right++;
      settle(verdict, good, good ? W.right : say(W.itWas, truth));
      buttons.forEach(b => { b.disabled = true; });
      after.replaceChildren(el("p", {}, el("code", {}, subject.call)), ...subject.words.map(w => el("p", {}, w)), nest(subject.nest), el("p", { class: "dim" }, say(W.score, right, count)), button(W.another, ask, { class: "primary" }));
      after.lastChild.focus();
    }));
    body.replaceChildren(el("p", {}, coming ? W.whatNext : W.whichOne), coming ? listing(step.text, W.program) : changed(before.text, step.text, step.diff, W.diff), el("div", { class: "bar", role: "group", "aria-label": W.choices }, ...buttons), verdict, after);
  };
  drill.append(body, el("div", { class: "bar" }, button(W.begin, e => { e.target.remove(); ask(); }, { class: "primary" })));
} else if (drill) drill.hidden = true;

/* ---- handing in ---- */
const sha256 = text => {
  const rot = (x, n) => (x >>> n) | (x << (32 - n)), primes = [], K = [], H = [];
  for (let p = 2; primes.length < 64; p++) if (primes.every(q => p % q)) primes.push(p);
  const part = x => ((x - Math.floor(x)) * 4294967296) | 0;
  primes.forEach((p, i) => { K.push(part(Math.cbrt(p))); if (i < 8) H.push(part(Math.sqrt(p))); });
  const data = new TextEncoder().encode(text), size = ((data.length + 8) >> 6) * 16 + 16, words = new Int32Array(size);
  data.forEach((b, i) => { words[i >> 2] |= b << (24 - 8 * (i & 3)); });
  words[data.length >> 2] |= 0x80 << (24 - 8 * (data.length & 3));
  words[size - 1] = data.length * 8;
  for (let at = 0; at < size; at += 16) {
    const w = new Int32Array(64), s = H.slice();
    for (let i = 0; i < 64; i++) {
      if (i < 16) w[i] = words[at + i];
      else { const a = w[i - 15], b = w[i - 2]; w[i] = (w[i - 16] + (rot(a, 7) ^ rot(a, 18) ^ (a >>> 3)) + w[i - 7] + (rot(b, 17) ^ rot(b, 19) ^ (b >>> 10))) | 0; }
      const t = (s[7] + (rot(s[4], 6) ^ rot(s[4], 11) ^ rot(s[4], 25)) + ((s[4] & s[5]) ^ (~s[4] & s[6])) + K[i] + w[i]) | 0;
      const u = ((rot(s[0], 2) ^ rot(s[0], 13) ^ rot(s[0], 22)) + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]))) | 0;
      s.pop(); s.unshift((t + u) | 0); s[4] = (s[4] + t) | 0;
    }
    s.forEach((x, i) => { H[i] = (H[i] + x) | 0; });
  }
  return H.map(x => (x >>> 0).toString(16).padStart(8, "0")).join("");
};
const submission = student => {
  const saved = new Date().toISOString(), size = text => new TextEncoder().encode(text).length;
  const answers = Object.entries(kept).map(([part, a]) => ({ part, kind: a.kind, value: a.value })).sort((a, b) => a.part < b.part ? -1 : 1);
  const sealed = ["loopscope-submission 1", D.lesson, D.language, student, saved].concat(...answers.map(a => [a.part, a.kind, String(size(a.value)), a.value])).join("\n");
  return JSON.stringify({ format: "loopscope-submission 1", lesson: D.lesson, language: D.language, student, saved, answers, seal: sha256(sealed) }, null, 1);
};
const hand = document.getElementById("hand-in");
if (hand) {
  const field = hand.querySelector("input"), status = hand.querySelector(".verdict");
  hand.querySelector("button").addEventListener("click", () => {
    const student = field.value.trim();
    if (!student) { status.textContent = W.nameFirst; field.focus(); return; }
    const link = el("a", { href: URL.createObjectURL(new Blob([submission(student)], { type: "application/json" })), download: D.lesson + "-" + (student.replace(/[^\p{L}\p{N}]+/gu, "-") || "x") + ".submission.json" });
    link.click();
    status.textContent = W.saved;
  });
  hand.submission = submission;
}

/* ---- keys: from page to page ---- */
document.addEventListener("keydown", e => {
  if (e.altKey || e.ctrlKey || e.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(e.target.tagName) || (e.key !== "n" && e.key !== "p")) return;
  const heads = [...document.querySelectorAll("main h1, main h2")], top = 80;
  const at = e.key === "n" ? heads.find(h => h.getBoundingClientRect().top > top) : heads.filter(h => h.getBoundingClientRect().top < top - 20).pop();
  if (at) { at.tabIndex = -1; at.focus(); at.scrollIntoView(); }
});
document.documentElement.dataset.ready = "1";
})();
