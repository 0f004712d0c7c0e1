// SPDX-License-Identifier: MIT
// The monitor that a projector is. Browsers with the Window Management API can name the monitors and fill one of them;
// in others a window is opened, to be dragged there.
import { h } from "./dom.js";
import { t } from "./words.js";
import { prefs, setPref } from "./prefs.js";

export const canChoose = () => "getScreenDetails" in window;

const labelOf = (screen, i) => screen.label || t("monitor.n", { n: i + 1 });

// The one that was chosen, if it is there and the browser may say so without asking; null: the one we are on.
export async function chosenMonitor() {
  if (!prefs.monitor || !canChoose()) return null;
  const allowed = await navigator.permissions.query({ name: "window-management" }).catch(() => null);
  if (allowed?.state !== "granted") return null;
  const { screens } = await window.getScreenDetails();
  return screens.find((screen, i) => labelOf(screen, i) === prefs.monitor) || null;
}

// For the settings: a list of the monitors, filled once the visitor allows it.
export function monitorChoice() {
  if (!canChoose()) return h("span", { class: "s m", "data-pref": "monitor" }, t("monitor.drag"));
  const select = h("select", { class: "text", "data-pref": "monitor", "aria-label": t("settings.monitor"), onchange: () => setPref("monitor", select.value) });
  const fill = (labels) => {
    select.replaceChildren(h("option", { value: "" }, t("monitor.this")), ...labels.map((label) => h("option", { value: label }, label)));
    select.value = prefs.monitor;
  };
  const find = h("button", { type: "button", class: "btn small", onclick: async () => {
    try {
      fill((await window.getScreenDetails()).screens.map(labelOf));
    } catch {
      find.textContent = t("monitor.refused");
    }
  } }, t("monitor.find"));
  fill(prefs.monitor ? [prefs.monitor] : []);
  return h("span", { class: "row wrap" }, select, find);
}

// A window of its own for the projector.
export const openScreen = (path) => window.open(`${path}#screen`, "arbiter-screen", "popup,width=1280,height=720");
