// SPDX-License-Identifier: MIT
// How likely a value of the engine wins, for the mover: the usual curve.
export const curve = (scale) => (v) => 1 / (1 + Math.exp(-v / scale));
