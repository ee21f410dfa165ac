/** The memory that keccak-pairs.ts shares with its WebAssembly module, addresses and sizes in bytes. */

/** 24 round constants, each twice. */
export const CONSTANTS = 800;
/** Free from here on. A state without a message goes through memory from its start, as far as the other's reaches. */
export const FREE = 1200;
export const BLOCK_BYTES = 136;
export const HASH_BYTES = 32;
export const JOB_BYTES = 12;
