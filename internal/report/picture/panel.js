"use strict";

// add appends an element with a text to another one. Texts of the program are never taken for HTML.
function add(parent, tag, text, name) {
  const e = parent.appendChild(document.createElement(tag));
  if (text !== undefined) e.textContent = text;
  if (name) e.className = name;
  return e;
}

// addChanges shows changed fields.
function addChanges(parent, changes) {
  for (const [path, before, after] of changes) {
    const d = add(parent, "div");
    add(d, "code", path + ": ");
    add(d, "code", before, "old");
    add(d, "code", " → ");
    add(d, "code", after, "new");
  }
}

// addDetail shows what a step did.
function addDetail(panel, step) {
  add(panel, "code", step.handler);
  if (step.changes.length) add(panel, "h3", "Changes");
  addChanges(panel, step.changes);
  if ((step.more || []).length) add(panel, "h3", "Effects");
  for (const text of step.more || []) add(add(panel, "div"), "code", text);
}

// addState shows a local state on demand, or at once if it is open.
function addState(panel, actor, text, changed, open) {
  const d = add(panel, "details", undefined, changed ? "changed" : "");
  d.open = open;
  add(d, "summary", actor);
  add(d, "pre", text);
  return d;
}

// mark marks one step of the diagram, in place of another one.
function mark(step, before, scroll) {
  const at = (n) => document.getElementById("back" + n);
  if (at(before)) at(before).classList.remove("selected");
  if (!at(step)) return;
  at(step).classList.add("selected");
  if (!scroll) return;
  document.querySelector(`[data-step="${step}"] .label`).scrollIntoView({block: "nearest", inline: "nearest"});
  at(step).scrollIntoView({block: "nearest", inline: "nearest"});
}
