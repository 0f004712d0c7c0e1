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

export const isArchive = (name) => /\.(zip|7z|tar|t?(gz|bz2?|xz|zst))$/i.test(name);

// What else makes a player of sources.
export const isRecipe = (name) => /^(makefile|player\.conf)$/i.test(name);

// How archives begin: zip, 7-Zip, gzip, bzip2, xz, zstd; tar says so after its first name.
const BEGINNINGS = [[0x50, 0x4b], [0x37, 0x7a, 0xbc, 0xaf], [0x1f, 0x8b], [0x42, 0x5a, 0x68], [0xfd, 0x37, 0x7a, 0x58], [0x28, 0xb5, 0x2f, 0xfd]];

// Whether a file without an ending is an archive. A folder cannot be read.
export async function isPacked(file) {
  const bytes = new Uint8Array(await file.slice(0, BLOCK).arrayBuffer());
  return !file.name.includes(".") && (BEGINNINGS.some((begin) => begin.every((byte, i) => bytes[i] === byte)) || new TextDecoder().decode(bytes.slice(257, 262)) === "ustar");
}
