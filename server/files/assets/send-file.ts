import { Readable } from 'node:stream'
import { create as contentDisposition } from 'content-disposition'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Asset } from '#domain/assets/asset.ts'
import { isShownInline, servedType } from '#domain/assets/preview.ts'
import { Problem } from '#domain/shared/problem.ts'
import type { ByteRange, StoredBlob } from '#server/platform/storage/blob-storage.ts'
import type { AssetDeps } from './find-file.ts'
import { THUMBNAIL_TYPE } from '#server/files/images/thumbnails.ts'

export type SendOptions = {
  /** Thumbnail width in pixels; null for the original. */
  readonly width: number | null
  /** Downloaded instead of displayed inline. */
  readonly isDownload: boolean
  readonly cacheControl: string
}

const DENY_ALL = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'"

/** Prevents scripts from running even if the file is opened directly. */
const FILE_POLICY = `${DENY_ALL}; frame-ancestors 'none'; sandbox`

/** Browsers play videos in a generated page that needs the server's origin to load them. */
const MEDIA_POLICY = `${DENY_ALL}; frame-ancestors 'none'; sandbox allow-same-origin`

/** PDF viewers have their own sandbox and don't work inside another one. Only our own pages can frame PDFs. */
const PDF_POLICY = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"

function policyOf(type: string, isInline: boolean): string {
  if (!isInline) return FILE_POLICY
  if (type === 'application/pdf') return PDF_POLICY
  return /^(?:audio|video)\//.test(type) ? MEDIA_POLICY : FILE_POLICY
}

/** The only code path that sends file contents to clients. */
export async function sendFile(
  deps: Pick<AssetDeps, 'blobs' | 'pictures'>,
  asset: Asset,
  sending: SendOptions,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<void> {
  const { width } = sending
  const tag = width === null ? `"${asset.hash}"` : `"${asset.hash}-${width}"`
  // Another session in the same browser must not reuse a cached response.
  reply.headers({ etag: tag, 'cache-control': sending.cacheControl, vary: 'cookie, authorization' })
  if (matchesETag(request.headers['if-none-match'], tag)) {
    await reply.code(304).send()
    return
  }

  const blob = width === null ? await openOriginal(deps, asset) : await openThumbnail(deps, asset, width)
  describe(reply, asset, sending)
  const range = isRangeValid(request, tag) ? readRange(request.headers.range, blob.bytes) : ({ type: 'all' } as const)
  if (range.type === 'unsatisfiable') {
    reply.header('content-range', `bytes */${blob.bytes}`)
    throw new Problem('range-not-satisfiable', `Range not satisfiable: the file has ${blob.bytes} bytes.`)
  }
  if (range.type === 'part') reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${blob.bytes}`)
  reply.header('content-length', range.type === 'part' ? range.end - range.start + 1 : blob.bytes)
  // HEAD returns the same headers as GET; an empty stream preserves the declared length.
  const isDescribed = request.method === 'HEAD'
  await reply.send(isDescribed ? Readable.from([]) : blob.read(range.type === 'part' ? range : undefined))
}

/** `If-Range`: a range applies only if the client has the current version. */
const isRangeValid = ({ headers }: FastifyRequest, tag: string): boolean =>
  headers['if-range'] === undefined || headers['if-range'] === tag

function describe(reply: FastifyReply, asset: Asset, { width, isDownload }: SendOptions): void {
  const type = width === null ? asset.type : THUMBNAIL_TYPE
  const isInline = isShownInline(type) && !isDownload
  const policy = policyOf(type, isInline)
  reply.headers({
    'content-type': servedType(type),
    'content-disposition': dispositionOf(asset.name, isInline),
    'content-security-policy': policy,
    // For browsers without CSP support.
    'x-frame-options': policy === PDF_POLICY ? 'SAMEORIGIN' : 'DENY',
    'accept-ranges': 'bytes',
  })
}

/** Includes an ASCII fallback without percent signs, because some clients decode them. */
const dispositionOf = (name: string, isInline: boolean): string =>
  contentDisposition(name, {
    type: isInline ? 'inline' : 'attachment',
    fallback: name.replace(/[^\x20-\x7e]|%/g, '_'),
  })

async function openOriginal({ blobs }: Pick<AssetDeps, 'blobs'>, asset: Asset): Promise<StoredBlob> {
  const blob = await blobs.open(asset.hash)
  // Missing contents indicate damaged storage, which must be logged.
  if (blob === undefined) throw new Error(`File ${asset.id} is missing from storage.`)
  return blob
}

async function openThumbnail(
  { pictures }: Pick<AssetDeps, 'pictures'>,
  asset: Asset,
  width: number,
): Promise<StoredBlob> {
  if (asset.width === null) throw notAPicture()
  const made = await pictures.smaller(asset.hash, width)
  if (made.ok) return made.value
  if (made.fault === 'not-a-picture') throw notAPicture()
  throw new Problem('not-ready', 'Too many images are being resized. Try again in a moment.', {
    retryAfterSeconds: 2,
  })
}

const notAPicture = (): Problem => new Problem('not-found', 'There are no smaller versions of this file.')

export type RequestedRange =
  | { readonly type: 'all' }
  | { readonly type: 'unsatisfiable' }
  | ({ readonly type: 'part' } & ByteRange)

const ALL: RequestedRange = { type: 'all' }
const UNSATISFIABLE: RequestedRange = { type: 'unsatisfiable' }

/** Parses a `Range` header. Multiple or invalid ranges return the whole file, as RFC 9110 allows. */
export function readRange(header: string | undefined, bytes: number): RequestedRange {
  const [, from, to] = /^bytes=\s*(\d*)\s*-\s*(\d*)\s*$/i.exec(header ?? '') ?? []
  if (from === undefined || to === undefined || (from === '' && to === '')) return ALL
  if (from === '') return lastBytes(Number(to), bytes)

  const start = Number(from)
  const end = to === '' ? bytes - 1 : Math.min(Number(to), bytes - 1)
  if (to !== '' && Number(to) < start) return ALL
  return start >= bytes ? UNSATISFIABLE : { type: 'part', start, end }
}

const lastBytes = (count: number, bytes: number): RequestedRange =>
  count === 0 || bytes === 0 ? UNSATISFIABLE : { type: 'part', start: Math.max(0, bytes - count), end: bytes - 1 }

/** Uses weak comparison, as `If-None-Match` requires. */
export const matchesETag = (header: string | undefined, tag: string): boolean =>
  header !== undefined && header.split(',').some((one) => ['*', tag, `W/${tag}`].includes(one.trim()))
