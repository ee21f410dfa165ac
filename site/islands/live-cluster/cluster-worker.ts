/**
 * The worker that carries out a live run: takes commands, lets virtual time follow real time, and posts a frame when
 * there is something new to see. What it is told comes from its own page, what a link says is checked in live-run.ts.
 */
import { LiveRun } from './live-run.ts';
import { RefusedError } from './run-of-moment.ts';
import type { Command, Reply } from './protocol.ts';

/** Milliseconds between two frames: 30 in a second. */
const FRAME_MS = 33;
/** After a longer pause of the page (another tab, a sleeping machine) no more than this is caught up. */
const CATCH_UP_MS = 250;
/** A replay works for so long between two frames, in pieces of so many virtual milliseconds. */
const REPLAY_WORK_MS = 60;
const REPLAY_PIECE_MS = 500;

let live: LiveRun | null = null;
/** What it was opened with. */
let opened: Extract<Command, { kind: 'open' }> | null = null;
let isPlaying = false;
let factor = 1;
let lastMs = 0;
/** Virtual time that is due and no whole millisecond yet. */
let dueMs = 0;
let timer: ReturnType<typeof setTimeout> | null = null;

function post(reply: Reply): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no other origin to name.
  self.postMessage(reply);
}

function show(): void {
  if (live === null) return;
  if (live.ended !== null) isPlaying = false;
  post({ kind: 'frame', frame: live.frame(isPlaying) });
}

function tick(): void {
  timer = null;
  const nowMs = performance.now();
  if (live?.isReplaying === true) {
    while (live.isReplaying && performance.now() < nowMs + REPLAY_WORK_MS) live.replay(REPLAY_PIECE_MS);
  } else if (live !== null && isPlaying) {
    dueMs += Math.min(nowMs - lastMs, CATCH_UP_MS) * factor;
    const wholeMs = Math.floor(dueMs);
    dueMs -= wholeMs;
    live.pass(wholeMs);
  }
  lastMs = nowMs;
  show();
  goOn();
}

function goOn(): void {
  if (timer !== null || live === null || (!isPlaying && !live.isReplaying)) return;
  timer = setTimeout(tick, live.isReplaying ? 0 : FRAME_MS);
}

function play(): void {
  if (isPlaying || live === null) return;
  isPlaying = live.ended === null;
  lastMs = performance.now();
  dueMs = 0;
}

function open(command: Extract<Command, { kind: 'open' }>): LiveRun {
  opened = command;
  live = new LiveRun(command);
  isPlaying = false;
  if (command.isPlaying) play();
  return live;
}

/** An act, after which a run goes on that had ended for want of one. */
function act(run: LiveRun, command: Extract<Command, { kind: 'act' | 'actOnAll' }>): void {
  const hadEnded = run.ended !== null;
  if (command.kind === 'act') run.act(command.verb, command.at);
  else run.actOnAll(command.verb);
  if (hadEnded) play();
}

/** A call is no act, and no time passes at an end in which it could be answered: the run is opened anew. */
function answer(run: LiveRun, command: Extract<Command, { kind: 'call' }>): void {
  const answering = run.ended === null || opened === null ? run : open(opened);
  post({ kind: 'answer', ...answering.call(command) });
}

function obey(command: Command): void {
  if (command.kind === 'open') open(command);
  else if (command.kind === 'speed') factor = command.factor;
  else if (live === null || live.isReplaying) return;
  else if (command.kind === 'play') play();
  else if (command.kind === 'pause') isPlaying = false;
  else if (command.kind === 'act' || command.kind === 'actOnAll') act(live, command);
  else if (command.kind === 'call') answer(live, command);
  else {
    isPlaying = false;
    if (command.by === 'sentence') live.passToSentence();
    else live.pass(command.by);
  }
  show();
  goOn();
}

self.addEventListener('message', ({ data }: MessageEvent<Command>) => {
  try {
    obey(data);
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    post({ kind: 'refused', message: error.message });
  }
});

post({ kind: 'ready' });
