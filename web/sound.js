// SPDX-License-Identifier: MIT
// Short sounds, made as they are needed.
import { prefs } from "./prefs.js";

const SOUNDS = {
  move: [[520, 0, 0.05, "triangle"]],
  take: [[420, 0, 0.05, "triangle"], [300, 0.05, 0.08, "triangle"]],
  win: [[523, 0, 0.12, "sine"], [659, 0.12, 0.12, "sine"], [784, 0.24, 0.2, "sine"]],
  lose: [[392, 0, 0.15, "sine"], [311, 0.15, 0.25, "sine"]],
};

let audio = null;

export function play(name) {
  if (!prefs.sound || !prefs.volume || !navigator.userActivation?.hasBeenActive) return;
  audio ||= new AudioContext();
  for (const [pitch, at, length, shape] of SOUNDS[name]) {
    const tone = audio.createOscillator(), loud = audio.createGain(), begin = audio.currentTime + at;
    tone.type = shape;
    tone.frequency.value = pitch;
    loud.gain.setValueAtTime((prefs.volume / 100) * 0.25, begin);
    loud.gain.exponentialRampToValueAtTime(0.001, begin + length);
    tone.connect(loud).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + length);
  }
}
