// SPDX-License-Identifier: MIT
// The view for a projector: the whole screen where the browser gives it, left by Esc or by the button.
import { h } from "./dom.js";
import { t } from "./words.js";
import { chosenMonitor } from "./monitors.js";

export const isPresenting = () => document.body.classList.contains("present");

// The whole of the monitor that the settings name.
async function fill() {
  const screen = await chosenMonitor().catch(() => null);
  await document.documentElement.requestFullscreen?.(screen ? { screen } : undefined).catch(() => {});
}

export function present(on = !isPresenting()) {
  document.body.classList.toggle("present", on);
  if (on) fill();
  else if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
  dispatchEvent(new Event("resize"));
}

export const leaveButton = () => h("button", { class: "btn leave", onclick: () => present(false) }, h("kbd", {}, "Esc"), t("leaves"));

// In full screen the browser takes Esc for itself.
document.addEventListener("fullscreenchange", () => { if (!document.fullscreenElement && isPresenting()) present(false); });
