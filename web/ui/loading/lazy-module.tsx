import { type FunctionComponent, use, useEffect, useState } from 'react'
import { createStore, type ReadableStore, useStore } from '#web/ui/store.ts'

/** React renders a failed component twice, and both renders must throw the same error; a later one loads it again. */
const ERROR_CACHE_MS = 1_000

const OFFLINE_RETRY_MS = 2000

/** Offline, only the service worker has modules. */
const isOffline = (): boolean => globalThis.navigator?.onLine === false && !navigator.serviceWorker?.controller

/** A server on this computer is reachable even without a network. */
const canReachServer = (): Promise<boolean> =>
  fetch('/manifest.webmanifest', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  )

async function whenReachable(): Promise<void> {
  while (isOffline() && !(await canReachServer())) {
    await new Promise((resolve) => {
      window.addEventListener('online', resolve, { once: true })
      setTimeout(resolve, OFFLINE_RETRY_MS)
    })
  }
}

/** Fetches a module once the server is reachable, because browsers never retry one whose fetch failed. */
export const fetchModuleOnline = <Module,>(fetchModule: () => Promise<Module>): Promise<Module> =>
  isOffline() ? whenReachable().then(fetchModule) : fetchModule()

export type LazyComponent<Props extends object> = FunctionComponent<Props> & {
  /** Never rejects; the error is thrown during rendering. */
  readonly preload: () => Promise<void>
  readonly load: () => Promise<void>
}

/**
 * Loads a component when it is first rendered; once loaded, it renders without suspending. Unlike the router's own lazy
 * component, it doesn't reload the page if its chunk no longer exists, so that unsaved input isn't lost.
 */
export function lazyComponent<Name extends string, Props extends object>(
  fetchModule: () => Promise<{ readonly [key in NoInfer<Name>]: FunctionComponent<Props> }>,
  name: Name,
): LazyComponent<Props> {
  let Loaded: FunctionComponent<Props> | undefined
  let loading: Promise<void> | undefined
  let failed: { readonly fault: unknown; readonly atMs: number } | undefined

  const preload = (): Promise<void> =>
    (loading ??= fetchModuleOnline(fetchModule).then(
      (module) => {
        Loaded = module[name]
        loading = undefined
      },
      (fault: unknown) => {
        failed = { fault, atMs: Date.now() }
        loading = undefined
      },
    ))
  const load = async (): Promise<void> => {
    if (!Loaded) await preload()
    if (!Loaded) throw failed?.fault
  }

  function LazyLoaded(props: Props) {
    if (failed && Date.now() - failed.atMs < ERROR_CACHE_MS) throw failed.fault
    failed = undefined
    if (!Loaded) use(preload())
    return Loaded ? <Loaded {...props} /> : null
  }
  return Object.assign(LazyLoaded, { preload, load })
}

/** Its state is undefined until the module has loaded. */
export type LazyModule<Part> = ReadableStore<Part | undefined> & { readonly load: () => Promise<Part> }

export function lazyModule<Part>(fetchPart: () => Promise<Part>): LazyModule<Part> {
  const { get, set, subscribe } = createStore<Part | undefined>(undefined)
  let loading: Promise<Part> | undefined

  async function load(): Promise<Part> {
    try {
      const part = await fetchModuleOnline(fetchPart)
      set(part)
      return part
    } finally {
      loading = undefined
    }
  }
  return { load: async () => get() ?? (loading ??= load()), get, subscribe }
}

/** Prefetching starts at the latest this long after the page was opened, in ms. */
const PREFETCH_AFTER_MS = 1500
/** And this long after it was held back. */
const HOLD_MS = 5000

/** Without `requestIdleCallback`, the browser is considered idle after this time in ms. */
const IDLE_FALLBACK_MS = 1000

let isPrefetching = false
let startsAtMs = PREFETCH_AFTER_MS
const waiting = new Set<() => void>()

/** Allows prefetching after the first content has been shown; earlier prefetching would have delayed it. */
export function startPrefetching(): void {
  isPrefetching = true
  for (const start of waiting) start()
  waiting.clear()
}

/** Holds prefetching back until the next content is shown. */
export function holdPrefetching(): void {
  isPrefetching = false
  startsAtMs = performance.now() + HOLD_MS
}

/** Checks again when it is due, because it may have been held back since. */
function startWhenDue(): void {
  const leftMs = startsAtMs - performance.now()
  if (leftMs > 0) setTimeout(startWhenDue, leftMs)
  else startPrefetching()
}

/** Runs `work` when the browser is idle after the first content; returns a function that cancels it. */
function whenIdle(work: () => void): () => void {
  let cancel = (): void => undefined
  const schedule = (): void => {
    if (!('requestIdleCallback' in window)) {
      const fallback = setTimeout(work, IDLE_FALLBACK_MS)
      cancel = () => clearTimeout(fallback)
      return
    }
    const handle = requestIdleCallback(work, { timeout: 2 * IDLE_FALLBACK_MS })
    cancel = () => cancelIdleCallback(handle)
  }
  if (isPrefetching) schedule()
  else {
    if (waiting.size === 0) startWhenDue()
    waiting.add(schedule)
  }
  return () => {
    waiting.delete(schedule)
    cancel()
  }
}

const nothing = (): void => undefined

/** Browser messages for a chunk that can't be loaded: the server is unreachable, or was updated. */
const MODULE_LOAD_ERROR = /dynamically imported module|importing a module script|error loading|preload/i

export const isModuleLoadError = (error: unknown): boolean =>
  error instanceof Error && MODULE_LOAD_ERROR.test(error.message)

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error(String(error)))

/** A lazily loaded component, prefetched when the page is idle, and loaded immediately if `isWanted`. */
export function useLazyModule<Part>(part: LazyModule<Part>, isWanted: boolean): Part | undefined {
  const [fault, setFault] = useState<Error>()
  useEffect(() => {
    if (isWanted) return void part.load().then(nothing, (error: unknown) => setFault(toError(error)))
    // A failed prefetch is retried when the component is needed.
    return whenIdle(() => void part.load().then(nothing, nothing))
  }, [part, isWanted])
  const current = useStore(part)
  // A failed chunk must not crash the page: the frame shows the error.
  if (fault !== undefined && current === undefined && !isModuleLoadError(fault)) throw fault
  return current
}
