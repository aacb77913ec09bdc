import { type Actor, userIdOf } from '#domain/access/actor.ts'
import type { Asset } from '#domain/assets/asset.ts'
import type { UserId } from '#domain/shared/ids.ts'
import { Problem } from '#domain/shared/problem.ts'
import { type UploadTargetInput, authorizeTarget } from '#server/files/uploads/authorize-target.ts'
import { type CompleteFile, storeFile } from '#server/files/uploads/store-file.ts'
import type { UploadDeps } from '#server/files/uploads/upload-deps.ts'
import type { RemoteClient, RemoteResponse } from './remote-client.ts'
import ipaddr from 'ipaddr.js'

const MAX_REDIRECTS = 3

const TIMEOUT_MS = 5 * 60_000

const PORTS: ReadonlySet<string> = new Set(['', '80', '443'])

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Uses one message for all failures, because details would reveal the server's network. */
const fetchFailed = (): Problem =>
  new Problem(
    'invalid-upload',
    'Couldn’t fetch the file. Check that the URL is public, or download the file and upload it.',
  )

/**
 * Opens a remote file. Only allows public addresses and web ports, without credentials; redirects are checked again.
 */
async function openRemote(door: RemoteClient, address: string): Promise<CompleteFile> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  let url = readAddress(address)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const answer = await sendRequest(door, url, signal).then(undefined, () => Promise.reject(fetchFailed()))
    const { location } = answer.headers
    if (!REDIRECTS.has(answer.status) || location === undefined) return fileIn(url, answer)
    answer.body.destroy()
    url = readAddress(location, url)
  }
  throw fetchFailed()
}

function readAddress(text: string, base?: URL): URL {
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined
  const isOfTheWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (url === undefined || !isOfTheWeb || url.username !== '' || url.password !== '' || !PORTS.has(url.port)) {
    throw new Problem(
      'invalid-upload',
      'Only http:// and https:// URLs with the default port and without credentials can be fetched.',
    )
  }
  return url
}

async function sendRequest(door: RemoteClient, url: URL, signal: AbortSignal): Promise<RemoteResponse> {
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isPublicAddress(name) ? [name] : await door.resolve(name)
  const [first] = addresses
  // All addresses must be public: a name that resolves to both a public and a private address indicates an attack.
  if (first === undefined || !addresses.every(isPublicAddress)) throw fetchFailed()
  return door.ask(url, first, signal)
}

function fileIn(url: URL, { status, headers, body }: RemoteResponse): CompleteFile {
  const isPlain = headers['content-encoding'] === undefined || headers['content-encoding'] === 'identity'
  if (status !== 200 || !isPlain) {
    body.destroy()
    throw fetchFailed()
  }
  return {
    name: decodeName(url.pathname),
    type: headers['content-type'] ?? '',
    body,
    declaredBytes: Number(headers['content-length'] ?? 0) || 0,
  }
}

/** The file name from a URL path; not decoded if the encoding is invalid. */
function decodeName(path: string): string {
  const last = path.split('/').findLast((part) => part !== '') ?? ''
  return /%(?![0-9a-f]{2})/i.test(last) ? last : Buffer.from(unescapeBytes(last), 'latin1').toString('utf8')
}

const unescapeBytes = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))

/** Limit per user, because each fetch uses a connection and disk space. */
const MAX_CONCURRENT = 2

/** Fetches a file from a URL under the same rules as an upload. */
export async function fetchUpload(
  deps: UploadDeps,
  actor: Actor,
  named: UploadTargetInput,
  address: string,
): Promise<Asset> {
  if (!deps.config.fetchesUploads) {
    throw new Problem('forbidden', 'Fetching files from URLs is turned off. Download the file and upload it.')
  }
  await authorizeTarget(deps, actor, named)
  return withFetchSlot(userIdOf(actor), async () => {
    const file = await openRemote(deps.remote, address)
    return storeFile(deps, actor, named, file).finally(() => void file.body.destroy())
  })
}

const activeFetches = new Map<UserId | null, number>()

async function withFetchSlot<Answer>(who: UserId | null, work: () => Promise<Answer>): Promise<Answer> {
  const count = activeFetches.get(who) ?? 0
  if (count >= MAX_CONCURRENT) {
    throw new Problem(
      'too-many-requests',
      `Only ${MAX_CONCURRENT} files can be fetched at a time. Wait for them to finish.`,
      {
        retryAfterSeconds: 10,
      },
    )
  }
  activeFetches.set(who, count + 1)
  try {
    return await work()
  } finally {
    const left = (activeFetches.get(who) ?? 1) - 1
    if (left > 0) activeFetches.set(who, left)
    else activeFetches.delete(who)
  }
}

/** Global unicast IPv6; all other addresses are local or embed another address. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3')

/**
 * Whether a file may be fetched from this address. Addresses that embed another address (NAT64, 6to4, Teredo) are never
 * public.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || address.match(GLOBAL_IPV6)
}
