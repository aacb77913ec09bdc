/** Caches the page and assets of the app, but never data, so that it starts without a connection. */

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

/** The page sends a list of the files to cache. */
self.addEventListener('message', (event) => event.waitUntil(keepOnly(event.data.files)))

const isData = (pathname) => /^\/(?:api(?!\/docs$)|metrics)(?:\/|$)/.test(pathname)

/** Network first, with the cache as fallback. All page URLs share one cached page. */
async function newest(request, key) {
  const cache = await caches.open(CACHE)
  const response = await fetch(request).catch(() => undefined)
  if (response?.ok && !response.redirected && isOf(key, response)) await cache.put(key, response.clone())
  const isMissing = response === undefined || GATEWAY_STATUSES.includes(response.status)
  return (isMissing ? await kept(cache, key) : response) ?? response ?? Response.error()
}

/** Only HTML is cached as the app's page, because navigations may also open files. */
const isOf = (key, { headers }) => key !== PAGE || (headers.get('content-type') ?? '').startsWith('text/html')

/** Cache first: these files never change, because their names contain a hash. */
async function keptOrFetched(request) {
  const cache = await caches.open(CACHE)
  const found = await kept(cache, request)
  if (found) return found
  const response = await fetch(request)
  if (response.ok) await cache.put(request, response.clone())
  return response
}

/** Downloads files one at a time, so that they don't slow down the user's requests. */
async function keepOnly(files) {
  const cache = await caches.open(CACHE)
  for (const file of files) if (!(await kept(cache, file))) await cache.add(file).catch(() => undefined)
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url)
    if (pathname.startsWith('/assets/') && !files.includes(pathname)) await cache.delete(url, { ignoreVary: true })
  }
}

const kept = (cache, key) => cache.match(key, { ignoreVary: true })
