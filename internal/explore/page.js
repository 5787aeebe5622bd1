const at = (id) => document.getElementById(id);
const panel = at("detail");
const rows = []; // nodes of the tree, by number
const next = []; // by node: the one after it that was selected last
let view = null, path = [], marked = -1, drawn = -1, waiting = Promise.resolve(), isSearching = false;

// post sends a request. Requests are answered one after the other, but for progress and stop.
async function post(request) {
  const response = await fetch("do", {
    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({...request, have: rows.length}),
  });
  if (!response.ok) throw new Error((await response.text()).trim());
  const answer = await response.json();
  if (answer.error) throw new Error(answer.error);
  return answer;
}

function tell(text, isBad) {
  at("status").textContent = text;
  at("status").classList.toggle("bad", Boolean(isBad));
}

// ask sends a request when what was asked before is done, and shows the state that the answer is about. What is to be asked is
// decided then. While a search runs nothing else is asked.
function ask(decide) {
  if (isSearching) return;
  waiting = waiting.then(async () => {
    const request = decide();
    if (!request) return;
    isSearching = request.do === "search";
    tell(isSearching ? "searching" : "");
    const timer = setInterval(showProgress, 300);
    try {
      const answer = await post(request);
      if (answer.text) tell(answer.text, isSearching && answer.view.violated.length > 0);
      await show(answer);
    } catch (e) {
      tell(e instanceof TypeError ? "harrier does not answer any more: it has ended" : e.message, true);
    }
    clearInterval(timer);
    at("stop").hidden = true;
    isSearching = false;
  });
}

async function showProgress() {
  const answer = await post({do: "progress"}).catch(() => ({}));
  if (!answer.text || !isSearching) return;
  at("stop").hidden = false;
  tell(answer.text);
}

// pathTo is the nodes from the start to one.
function pathTo(node) {
  const nodes = [];
  for (; node >= 0; node = rows[node].parent) nodes.push(node);
  return nodes.reverse();
}

async function show(answer) {
  view = answer.view;
  if (answer.first < rows.length) {
    rows.length = answer.first;
    delete at("tree").dataset.shown;
  }
  for (const row of answer.rows || []) {
    row.children = [];
    if (row.parent >= 0) rows[row.parent].children.push(rows.length);
    rows.push(row);
  }
  for (let n = view.node; n > 0; n = rows[n].parent) next[rows[n].parent] = n;
  let leaf = view.node;
  while (next[leaf] !== undefined) leaf = next[leaf];
  path = pathTo(leaf);
  document.title = answer.scenario + " – harrier explore";
  at("scenario").textContent = answer.scenario;
  add(at("scenario"), "small", " " + (answer.settings || []).join(" "));
  showPanel();
  showTree();
  const step = path.indexOf(view.node);
  if (leaf !== drawn) {
    const response = await fetch("diagram/" + leaf);
    // The server has escaped all texts of the program, and the page's policy runs no script but this one.
    at("diagram").innerHTML = await response.text();
    drawn = leaf;
  }
  mark(step, marked, true);
  marked = step;
  const end = at("violation");
  if (end && view.node === leaf) end.scrollIntoView({block: "nearest"});
}

// showTree shows all runs: below a step those that leave the one that was there first, indented, then how that one goes on.
function showTree() {
  const tree = at("tree"), here = new Set(path), shown = rows.length + " " + path.length + " " + path.at(-1);
  tree.querySelectorAll(".selected").forEach((b) => b.classList.remove("selected"));
  if (tree.dataset.shown === shown) {
    const b = tree.querySelector(`[data-node="${view.node}"]`);
    b.classList.add("selected");
    b.scrollIntoView({block: "nearest"});
    return;
  }
  tree.dataset.shown = shown;
  tree.replaceChildren();
  const open = [{node: 0, step: 0, depth: 0}];
  while (open.length) {
    const {node, step, depth, isBranch} = open.pop(), row = rows[node];
    const b = add(tree, "button");
    b.style.paddingLeft = 8 + 16 * depth + "px";
    b.dataset.node = node;
    b.title = row.text;
    for (const [name, on] of Object.entries({fault: row.fault, violated: row.violated, off: !here.has(node), selected: node === view.node})) {
      b.classList.toggle(name, Boolean(on));
    }
    add(b, "span", (isBranch ? "↳ " : "") + step + "  ", "number");
    add(b, "span", row.text + (row.violated ? "  ✗" : row.terminal ? "  ■" : "") + (row.same !== node ? "  ↺" : ""));
    if (row.children.length) open.push({node: row.children[0], step: step + 1, depth});
    for (const child of row.children.slice(1).reverse()) open.push({node: child, step: step + 1, depth: depth + 1, isBranch: true});
    if (node === view.node) b.scrollIntoView({block: "nearest"});
  }
}

function showPanel() {
  panel.replaceChildren();
  panel.scrollTop = 0;
  const row = rows[view.node];
  add(panel, "h2", view.step ? "Step " + (pathTo(view.node).length - 1) + ": " + view.step.text : "Start");
  for (const text of view.violated) add(panel, "p", text, "violated");
  if (row.same !== view.node) {
    const b = add(add(panel, "p", "This is the same state as after "), "button", row.same ? "step " + (pathTo(row.same).length - 1) + ": " + rows[row.same].text : "the start");
    b.dataset.node = row.same;
  }
  showEvents("Enabled events", (e) => !e.fault);
  showEvents("Faults that may happen", (e) => e.fault);
  if (view.terminal) add(panel, "p", "No event" + (view.events.length ? " but faults" : "") + " is enabled: this is a terminal state.");
  if (view.step) {
    add(panel, "h3", "What this step did");
    addDetail(panel, view.step);
  }
  add(panel, "h3", "Local states, and what is in flight to each actor");
  for (const a of view.actors) {
    addState(panel, a.name, a.text, a.changed, a.changed || view.actors.length <= 4);
    const inbox = add(panel, "div", undefined, "inbox");
    for (const m of a.inbox) add(inbox, "code", "→ " + m);
  }
  if (view.history) addState(panel, "history of operations", view.history, false, false);
  at("back").disabled = view.node === 0;
}

function showEvents(title, which) {
  if (!view.events.some(which)) return;
  add(panel, "h3", title);
  view.events.forEach((e, i) => {
    if (!which(e)) return;
    const b = add(panel, "button", undefined, "event" + (e.fault ? " fault" : "") + (e.fails ? " fails" : "") + (e.node >= 0 ? " taken" : ""));
    b.dataset.event = i;
    if (i < 9) add(b, "kbd", i + 1, "key");
    add(b, "span", e.text + (e.node >= 0 ? " (tried)" : ""), "text");
    addChanges(b, e.changes.slice(0, 4));
    for (const text of (e.more || []).slice(0, 4)) add(add(b, "div"), "code", text);
  });
}

const look = (node) => ask(() => ({do: "look", node: node()}));
const take = (event) => ask(() => event < view.events.length && {do: "take", node: view.node, event});
const takeBack = () => look(() => Math.max(0, rows[view.node].parent));
const search = () => ask(() => ({do: "search", node: view.node}));
const save = () => ask(() => ({do: "save", node: view.node}));
const go = (to) => () => look(() => path[Math.max(0, Math.min(path.length - 1, to(path.indexOf(view.node))))]);
const keys = {
  u: takeBack, Backspace: takeBack, s: search, w: save, j: go((i) => i + 1), ArrowDown: go((i) => i + 1), k: go((i) => i - 1), ArrowUp: go((i) => i - 1),
  PageDown: go((i) => i + 10), PageUp: go((i) => i - 10), Home: go(() => 0), End: go(() => Infinity),
};
for (let i = 1; i <= 9; i++) keys[i] = () => take(i - 1);

document.addEventListener("click", (event) => {
  const e = event.target.closest("[data-node], [data-event], [data-step]");
  if (!e) return;
  const node = e.dataset.node === undefined ? path[Number(e.dataset.step)] : Number(e.dataset.node);
  if (e.dataset.event) take(Number(e.dataset.event));
  else look(() => node);
});
at("back").addEventListener("click", takeBack);
at("search").addEventListener("click", search);
at("save").addEventListener("click", save);
at("stop").addEventListener("click", () => post({do: "stop"}));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !view || !Object.hasOwn(keys, event.key)) return;
  event.preventDefault();
  keys[event.key]();
});

look(() => -1);
