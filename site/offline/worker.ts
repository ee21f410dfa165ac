/**
 * The service worker, which runs for readers who asked for it and nobody else. The build puts the list of files before
 * it, so that each new version of the site is a new worker: browsers look for one whenever a page is opened. It keeps
 * everything anew, then takes the place of the one before.
 */
import { answerFor, forgetOthers, keepAll, mayBeKept, type KeptFiles, type Shelf } from './kept-files.ts';

/** What the types of pages lack of those of service workers. */
interface WorkerScope extends EventTarget {
  readonly keptFiles: KeptFiles;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
}
interface LastingEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface RequestEvent extends Event {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

/** Where pages hear how far it is. */
const CHANNEL = 'offline';

const scope = self as unknown as WorkerScope;
const shelf: Shelf = { caches, fetch: (request, options) => fetch(request, options) };

scope.addEventListener('install', (event) => {
  const channel = new BroadcastChannel(CHANNEL);
  const kept = keepAll(scope.keptFiles, shelf, (progress) => channel.postMessage(progress));
  (event as LastingEvent).waitUntil(kept.then(() => scope.skipWaiting()));
});

scope.addEventListener('activate', (event) => {
  const taken = forgetOthers(scope.keptFiles.version, shelf).then(() => scope.clients.claim());
  (event as LastingEvent).waitUntil(taken);
});

scope.addEventListener('fetch', (event) => {
  const { request } = event as RequestEvent;
  if (mayBeKept(request.method, request.url, location.origin))
    (event as RequestEvent).respondWith(answerFor(request, shelf));
});
