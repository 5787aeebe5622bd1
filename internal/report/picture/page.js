const data = JSON.parse(document.getElementById("data").textContent);
const panel = document.getElementById("detail");
let selected = -1;

// statesAt is the local state of each actor after a step, and who was changed by it.
function statesAt(step) {
  const states = new Map(), changed = new Set();
  for (const s of data.states || []) states.set(s.actor, s.text);
  for (let i = 0; i < step; i++) {
    for (const s of data.steps[i].states || []) {
      states.set(s.actor, s.text);
      if (i === step - 1) changed.add(s.actor);
    }
    if (data.steps[i].stopped) states.delete(data.steps[i].stopped);
  }
  return [states, changed];
}

function show(step) {
  panel.replaceChildren();
  const s = data.steps[step - 1];
  add(panel, "h2", s ? "Step " + step + " of " + data.steps.length + ": " + s.text : "Start");
  if (s) addDetail(panel, s);
  const [states, changed] = statesAt(step);
  if (states.size) add(panel, "h3", s ? "Local states after this step" : "Local states");
  for (const [actor, text] of states) addState(panel, actor, text, changed.has(actor), changed.has(actor) || !s && states.size <= 4);
}

function select(step, scroll) {
  step = Math.max(0, Math.min(data.steps.length, step));
  mark(step, selected, scroll);
  selected = step;
  const end = document.getElementById("violation");
  if (scroll && end && step === data.steps.length) end.scrollIntoView({block: "nearest"});
  show(step);
}

document.getElementById("diagram").addEventListener("click", (event) => {
  const row = event.target.closest("[data-step]");
  if (row) select(Number(row.dataset.step), false);
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const to = {
    j: selected + 1, ArrowDown: selected + 1, k: selected - 1, ArrowUp: selected - 1,
    PageDown: selected + 10, PageUp: selected - 10, Home: 0, End: data.steps.length,
  }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  select(to, true);
});

select(0, false);
