import { Problem } from '#domain/shared/problem.ts'
import { isPublicAddress } from './public-address.ts'
import type { RemoteResponse, RemoteClient } from './remote-client.ts'
import type { CompleteFile } from '#server/files/uploads/store-file.ts'

/** How often another server may send us elsewhere. */
const MAX_REDIRECTS = 3

/** How long a file may take to come, in ms. */
const TIMEOUT_MS = 5 * 60_000

const PORTS: ReadonlySet<string> = new Set(['', '80', '443'])

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** One sentence for whatever went wrong out there: more would tell what stands in the net of the server. */
const fetchFailed = (): Problem =>
  new Problem(
    'invalid-upload',
    'Couldn’t fetch the file. Check that the URL is public, or download the file and upload it.',
  )

/**
 * Opens a file at another address for somebody. Only public machines are asked, at the ports of the web, without any
 * credentials; each place one is sent on to is looked at anew.
 */
export async function openRemote(door: RemoteClient, address: string): Promise<CompleteFile> {
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

/** An address one may ask at all, by the way it is written. */
function readAddress(text: string, base?: URL): URL {
  const url = URL.canParse(text, base) ? new URL(text, base) : undefined
  const isOfTheWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  if (url === undefined || !isOfTheWeb || url.username !== '' || url.password !== '' || !PORTS.has(url.port)) {
    throw new Problem(
      'invalid-upload',
      'Only http:// and https:// URLs with the default port and without a password can be fetched.',
    )
  }
  return url
}

async function sendRequest(door: RemoteClient, url: URL, signal: AbortSignal): Promise<RemoteResponse> {
  const name = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isPublicAddress(name) ? [name] : await door.resolve(name)
  const [first] = addresses
  // One that is none of them all: a name that leads to a public machine and to one of ours is meant to harm.
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
    mostBytes: Number(headers['content-length'] ?? 0) || 0,
  }
}

/** What a file is called by its address; what cannot be decoded stays as it is. */
function decodeName(path: string): string {
  const last = path.split('/').findLast((part) => part !== '') ?? ''
  return /%(?![0-9a-f]{2})/i.test(last) ? last : Buffer.from(unescapeBytes(last), 'latin1').toString('utf8')
}

const unescapeBytes = (text: string): string =>
  text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
