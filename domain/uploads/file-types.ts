import { typeOfEnding } from './file-type-groups.ts'
import { cleanType } from './upload.ts'

/** Properties of a file's content that are used to detect its type. */
export type Evidence = {
  /** Type detected from a signature; null if unknown. */
  readonly sniffed: { readonly type: string; readonly ending: string } | null
  readonly isText: boolean
  /** Beginning of the file, if it is text. */
  readonly head: string
  /** The first bytes in lowercase hex. */
  readonly signature?: string
}

/** Number of bytes sufficient to detect most types. */
export const SNIFF_BYTES = 4100

export const UNKNOWN_TYPE = 'application/octet-stream'

/** Aliases used by browsers and operating systems. */
const SAME_TYPES: { readonly [given: string]: string } = {
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/x-png': 'image/png',
  'image/svg': 'image/svg+xml',
  'application/x-pdf': 'application/pdf',
  'application/x-zip-compressed': 'application/zip',
  'application/x-gzip': 'application/gzip',
  'application/x-rar-compressed': 'application/x-rar',
  'application/vnd.rar': 'application/x-rar',
  'text/xml': 'application/xml',
  'text/json': 'application/json',
  'text/rtf': 'application/rtf',
  'application/x-rtf': 'application/rtf',
  'video/x-matroska': 'video/matroska',
  'image/heic-sequence': 'image/heic',
  'image/heif-sequence': 'image/heif',
  'text/x-markdown': 'text/markdown',
  'application/csv': 'text/csv',
  'audio/mp3': 'audio/mpeg',
  'audio/x-wav': 'audio/wav',
  'audio/wave': 'audio/wav',
  'audio/vnd.wave': 'audio/wav',
  'audio/x-m4a': 'audio/mp4',
  'audio/x-flac': 'audio/flac',
  'video/x-m4v': 'video/mp4',
}

/** Text types without a signature, by extension. */
const TEXT_TYPES: { readonly [ending: string]: string } = {
  '.txt': 'text/plain',
  '.log': 'text/plain',
  '.csv': 'text/csv',
  '.tsv': 'text/tab-separated-values',
  '.md': 'text/markdown',
  '.json': 'application/json',
  '.geojson': 'application/geo+json',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.xml': 'application/xml',
  '.html': 'text/html',
  '.htm': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.ics': 'text/calendar',
  '.vcf': 'text/vcard',
  '.svg': 'image/svg+xml',
}

/** Legacy Office files all use the same container format. */
const WRAPPED_TYPES: { readonly [wrapping: string]: readonly string[] } = {
  'application/x-cfb': [
    'application/msword',
    'application/vnd.ms-excel',
    'application/vnd.ms-powerpoint',
    'application/vnd.ms-outlook',
    'application/vnd.visio',
    'application/x-msi',
  ],
}

/** Possible type families by detected type, for types that may turn out to be more specific. */
const POSSIBLE_TYPES: { readonly [type: string]: readonly string[] } = {
  'application/zip': ['application/', 'model/'],
  'application/x-cfb': ['application/'],
  'application/gzip': ['application/'],
  'application/ogg': ['audio/', 'video/', 'application/'],
  'image/tiff': ['image/'],
  'image/png': ['image/apng'],
  'application/vnd.ms-asf': ['audio/', 'video/'],
}

/** Possible type families by the first bytes in hex, for types that aren't detected yet. */
const SIGNATURES: readonly (readonly [mark: string, families: readonly string[]])[] = [
  // ZIP, also used by Office files.
  ['504b', ['application/', 'model/']],
  // MP3 with ID3 tags, which can contain an image.
  ['494433', ['audio/']],
  // TIFF in both byte orders, also used by raw photos.
  ['49492a00', ['image/']],
  ['4d4d002a', ['image/']],
  // Windows Media, Matroska.
  ['3026b275', ['audio/', 'video/']],
  ['1a45dfa3', ['audio/', 'video/']],
]

/** Type families that a file may still belong to; empty if its type is final. */
export function possibleTypes({ sniffed, signature = '' }: Evidence): readonly string[] {
  if (sniffed !== null) return POSSIBLE_TYPES[canonicalType(sniffed.type)] ?? []
  return SIGNATURES.find(([known]) => signature.startsWith(known))?.[1] ?? []
}

export function canonicalType(given: string): string {
  const type = cleanType(given)
  return SAME_TYPES[type] ?? type
}

/** Lowercase extension including the dot; empty if there is none. */
export const endingOf = (name: string): string => /\.[^.\s]{1,20}$/.exec(name)?.[0].toLowerCase() ?? ''

/** Extension including the dot; null if no signature was found. */
export const sniffedEnding = ({ sniffed }: Evidence): string | null => (sniffed === null ? null : `.${sniffed.ending}`)

/** Type before the content is known: by extension for text, otherwise as declared, otherwise by extension. */
export function expectedType(name: string, declared: string): string {
  const ending = endingOf(name)
  const given = canonicalType(declared)
  const isDeclared = given !== '' && given !== UNKNOWN_TYPE
  return TEXT_TYPES[ending] ?? (isDeclared ? given : (typeOfEnding(ending) ?? given))
}

/** Type detected from the content; the declared type is used only if there is no signature. */
export function settleType({ sniffed, isText, head }: Evidence, name: string, declared: string): string {
  if (sniffed !== null) return settleSniffed(canonicalType(sniffed.type), head, expectedType(name, declared))
  if (!isText) return UNKNOWN_TYPE
  if (isSvg(head)) return 'image/svg+xml'
  // An .svg file without an SVG element is plain text.
  const named = TEXT_TYPES[endingOf(name)] ?? 'text/plain'
  return named === 'image/svg+xml' ? 'text/plain' : named
}

function settleSniffed(sniffed: string, head: string, declared: string): string {
  if (sniffed === 'application/xml' && isSvg(head)) return 'image/svg+xml'
  return WRAPPED_TYPES[sniffed]?.includes(declared) ? declared : sniffed
}

/** Whether the first XML element is `svg`. */
const isSvg = (text: string): boolean =>
  /^\uFEFF?\s*(?:<\?xml[^>]*>\s*|<!--(?:(?!-->)[\s\S])*-->\s*|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?[^>]*>\s*)*<svg[\s>]/i.test(
    text,
  )
