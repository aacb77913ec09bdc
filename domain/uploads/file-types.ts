import { typeOfEnding } from './file-type-groups.ts'
import { cleanType } from './upload.ts'

/** What the bytes of a file say of its type. */
export type Evidence = {
  /** Recognised by its first bytes; null when nothing was. */
  readonly sniffed: { readonly type: string; readonly ending: string } | null
  /** Whether the bytes read as text. */
  readonly isText: boolean
  /** The beginning of the text, when it is one. */
  readonly head: string
  /** The very first bytes in lower hex, where some kinds of files bear their mark. */
  readonly signature?: string
}

/** Bytes that tell what most files are; the others are told by what comes further on. */
export const SNIFF_BYTES = 4100

/** A type that says nothing. */
export const UNKNOWN_TYPE = 'application/octet-stream'

/** Other names for one type, as browsers and operating systems say them. */
const SAME_TYPES: { readonly [said: string]: string } = {
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

/** Types without a mark in their bytes: text, told apart by the ending of the name. */
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

/** Old office files share one wrapping, which is all that their bytes tell. */
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

/** What is recognised by its beginning and may yet turn out to be of another type, by families of types. */
const POSSIBLE_TYPES: { readonly [type: string]: readonly string[] } = {
  'application/zip': ['application/', 'model/'],
  'application/x-cfb': ['application/'],
  'application/gzip': ['application/'],
  'application/ogg': ['audio/', 'video/', 'application/'],
  'image/tiff': ['image/'],
  'image/png': ['image/apng'],
  'application/vnd.ms-asf': ['audio/', 'video/'],
}

/** The same for what is not recognised yet, by the mark of its beginning in hex. */
const SIGNATURES: readonly (readonly [mark: string, families: readonly string[]])[] = [
  // A packed folder, as office files are.
  ['504b', ['application/', 'model/']],
  // Music behind its notes, which may hold a picture.
  ['494433', ['audio/']],
  // TIFF in both orders of bytes: photographs as cameras keep them.
  ['49492a00', ['image/']],
  ['4d4d002a', ['image/']],
  // Windows media, Matroska.
  ['3026b275', ['audio/', 'video/']],
  ['1a45dfa3', ['audio/', 'video/']],
]

/** Of which families a file may still turn out to be, going by its beginning alone; none: what it seems, it is. */
export function possibleTypes({ sniffed, signature: mark = '' }: Evidence): readonly string[] {
  if (sniffed !== null) return POSSIBLE_TYPES[canonicalType(sniffed.type)] ?? []
  return SIGNATURES.find(([known]) => mark.startsWith(known))?.[1] ?? []
}

/** The one name of a type. */
export function canonicalType(said: string): string {
  const type = cleanType(said)
  return SAME_TYPES[type] ?? type
}

/** The ending of a name, with its point, in lower case; empty when it has none. */
export const endingOf = (name: string): string => /\.[^.\s]{1,20}$/.exec(name)?.[0].toLowerCase() ?? ''

/** The ending that goes with what the bytes are, with its point; null where they bear no mark. */
export const sniffedEnding = ({ sniffed }: Evidence): string | null => (sniffed === null ? null : `.${sniffed.ending}`)

/**
 * What a file is before its bytes are known: by its ending when it is text, else as declared, else by its ending again:
 * many systems have no type for a HEIC or an old DOC.
 */
export function expectedType(name: string, declared: string): string {
  const ending = endingOf(name)
  const said = canonicalType(declared)
  const isDeclared = said !== '' && said !== UNKNOWN_TYPE
  return TEXT_TYPES[ending] ?? (isDeclared ? said : (typeOfEnding(ending) ?? said))
}

/** What a file is, settled by its bytes. What is declared counts only where bytes have no mark of their own. */
export function settleType({ sniffed, isText, head }: Evidence, name: string, declared: string): string {
  if (sniffed !== null) return settleSniffed(canonicalType(sniffed.type), head, expectedType(name, declared))
  if (!isText) return UNKNOWN_TYPE
  if (isSvg(head)) return 'image/svg+xml'
  // Whatever else a text is, a text named .svg that holds no picture is none.
  const named = TEXT_TYPES[endingOf(name)] ?? 'text/plain'
  return named === 'image/svg+xml' ? 'text/plain' : named
}

function settleSniffed(sniffed: string, head: string, declared: string): string {
  if (sniffed === 'application/xml' && isSvg(head)) return 'image/svg+xml'
  return WRAPPED_TYPES[sniffed]?.includes(declared) ? declared : sniffed
}

/** Whether a text is a drawing: its first element, after remarks and declarations, is `svg`. */
const isSvg = (text: string): boolean =>
  /^\uFEFF?\s*(?:<\?xml[^>]*>\s*|<!--(?:(?!-->)[\s\S])*-->\s*|<!DOCTYPE[^>[]*(?:\[[^\]]*\])?[^>]*>\s*)*<svg[\s>]/i.test(
    text,
  )
