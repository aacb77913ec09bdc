import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export type S3Key = { readonly id: string; readonly secret: string }

/** Maximum clock skew in ms. */
const SKEW_MS = 15 * 60 * 1000

const hex = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** AWS percent-encodes all characters except letters, digits and four others. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

type Signed = { readonly id: string; readonly scope: string; readonly headers: string; readonly signature: Buffer }

function readSigned(header = ''): Signed | undefined {
  const found =
    /^AWS4-HMAC-SHA256 Credential=([^/,]+)\/([^,]+), ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/.exec(header)
  const [, id = '', scope = '', headers = '', signature = ''] = found ?? []
  return found === null ? undefined : { id, scope, headers, signature: Buffer.from(signature, 'hex') }
}

/** Returns the S3 error code for an invalid signature, or undefined if the signature is valid. */
export function signatureError(request: IncomingMessage, body: Buffer, key: S3Key): string | undefined {
  const signed = readSigned(request.headers.authorization)
  if (signed === undefined) return 'AccessDenied'
  if (signed.id !== key.id) return 'InvalidAccessKeyId'
  const payload = String(request.headers['x-amz-content-sha256'])
  if (payload !== 'UNSIGNED-PAYLOAD' && payload !== hex(body)) return 'XAmzContentSHA256Mismatch'

  const at = String(request.headers['x-amz-date'])
  const toSign = ['AWS4-HMAC-SHA256', at, signed.scope, hex(canonical(request, signed.headers, payload))].join('\n')
  const [day = '', ...rest] = signed.scope.split('/')
  const right = hmac(rest.reduce(hmac, hmac(`AWS4${key.secret}`, day)), toSign)
  if (!timingSafeEqual(right, signed.signature)) return 'SignatureDoesNotMatch'
  return Math.abs(instantOf(at) - Date.now()) > SKEW_MS ? 'RequestTimeTooSkewed' : undefined
}

function canonical({ method = '', url = '', headers }: IncomingMessage, signed: string, payload: string): string {
  const { pathname, searchParams } = new URL(url, 'http://store')
  const query = [...searchParams].map(([name, value]) => `${encoded(name)}=${encoded(value)}`).sort()
  const lines = signed.split(';').map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}\n`)
  return [method, pathname, query.join('&'), lines.join(''), signed, payload].join('\n')
}

/** `20261122T061100Z` in ms. */
const instantOf = (at: string): number =>
  Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
