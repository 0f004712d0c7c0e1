// SPDX-License-Identifier: MIT
export class SimilarPage {}
