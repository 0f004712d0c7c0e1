// SPDX-License-Identifier: MIT
// Files as one tar archive: what is dropped or pasted is handed in like any other archive.

const BLOCK = 512;
const text = new TextEncoder();

const octal = (number, digits) => number.toString(8).padStart(digits, "0");

// The header of a file; its sum counts its own eight bytes as spaces.
function header(name, size) {
  const block = new Uint8Array(BLOCK);
  const put = (at, words) => block.set(text.encode(words), at);
  const path = text.encode(name).length <= 100 ? name : name.replace(/^.*(\.\w+)$/, "player$1");
  put(0, path);
  put(100, "0000644\0");
  put(108, "0000000\0");
  put(116, "0000000\0");
  put(124, `${octal(size, 11)}\0`);
  put(136, `${octal(0, 11)}\0`);
  put(148, "        ");
  put(156, "0");
  put(257, "ustar\0");
  put(263, "00");
  put(148, `${octal(block.reduce((sum, byte) => sum + byte, 0), 6)}\0 `);
  return block;
}

// files: [{ name, bytes }]
export function tarFile(files) {
  const parts = files.flatMap(({ name, bytes }) => [header(name, bytes.length), bytes, new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK)]);
  return new Blob([...parts, new Uint8Array(2 * BLOCK)]);
}

export const isSource = (name) => /\.(c|cc|cpp|cxx|h|hpp|py)$/i.test(name);
