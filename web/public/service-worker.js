/** Lets the app start without the server: keeps its page and its files, never data. */

const CACHE = 'dossier-app'
const PAGE = '/'
/** Statuses of a proxy whose server is down. */
const GATEWAY_STATUSES = [502, 503, 504]

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', (event) => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin || isData(pathname)) return
  if (request.mode === 'navigate') event.respondWith(newest(request, PAGE))
  else if (pathname.startsWith('/assets/')) event.respondWith(keptOrFetched(request))
  else if (['/theme-setup.js', '/favicon.svg'].includes(pathname)) event.respondWith(newest(request, pathname))
})

/** The page sends the files that it needs without the server. */
self.addEventListener('message', (event) => event.waitUntil(keepOnly(event.data.files)))

const isData = (pathname) => /^\/(?:api(?!\/docs$)|metrics)(?:\/|$)/.test(pathname)

/** The server's response, else the kept one. Every URL gets the same page. */
async function newest(request, key) {
  const cache = await caches.open(CACHE)
  const response = await fetch(request).catch(() => undefined)
  if (response?.ok && !response.redirected && isOf(key, response)) await cache.put(key, response.clone())
  const isMissing = response === undefined || GATEWAY_STATUSES.includes(response.status)
  return (isMissing ? await kept(cache, key) : response) ?? response ?? Response.error()
}

/** A file opened in the address bar is not the app's page. */
const isOf = (key, { headers }) => key !== PAGE || (headers.get('content-type') ?? '').startsWith('text/html')

/** These files never change: their names contain their hash. */
async function keptOrFetched(request) {
  const cache = await caches.open(CACHE)
  const found = await kept(cache, request)
  if (found) return found
  const response = await fetch(request)
  if (response.ok) await cache.put(request, response.clone())
  return response
}

/** One after another, so that they don't compete with what the user waits for. */
async function keepOnly(files) {
  const cache = await caches.open(CACHE)
  for (const file of files) if (!(await kept(cache, file))) await cache.add(file).catch(() => undefined)
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url)
    if (pathname.startsWith('/assets/') && !files.includes(pathname)) await cache.delete(url, { ignoreVary: true })
  }
}

const kept = (cache, key) => cache.match(key, { ignoreVary: true })
