import { endingOf } from '../uploads/file-types.ts'
import { isPictureType } from './picture-limits.ts'

/** How a file is looked at: by which of the browser's own means, or not at all. */
export type Preview = 'picture' | 'pdf' | 'audio' | 'video' | 'text' | 'none'

/** Pictures a browser draws that we make no smaller copies of; as an image element a drawing runs nothing. */
const BROWSER_IMAGES: ReadonlySet<string> = new Set(['image/svg+xml', 'image/bmp'])

/** Texts whose type does not say so. */
const TEXT_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/geo+json',
  'application/yaml',
  'application/xml',
  'application/sql',
  'application/toml',
])

/** Endings of texts in older encodings, which nothing in their bytes gives away. */
const TEXT_ENDINGS: ReadonlySet<string> = new Set([
  '.txt',
  '.csv',
  '.tsv',
  '.md',
  '.log',
  '.ini',
  '.json',
  '.srt',
  '.sql',
])

/** Most pixels of a picture that is shown as it is; of a larger one its largest smaller copy is. 40 million take 160 MB. */
const MAX_SHOWN_PIXELS = 40_000_000

/** What is known of a file that is to be looked at. */
type PreviewedFile = {
  readonly name: string
  readonly type: string
  /** In pixels; null where there are no smaller copies. */
  readonly width: number | null
  readonly height: number | null
}

/** How a file is looked at. A picture of a kind we measure that has no measures is too large, or damaged. */
export function previewOf({ type, name, width }: PreviewedFile): Preview {
  if (width !== null || BROWSER_IMAGES.has(type)) return 'picture'
  if (isPictureType(type)) return 'none'
  if (type === 'application/pdf') return 'pdf'
  if (type.startsWith('audio/')) return 'audio'
  if (type.startsWith('video/')) return 'video'
  if (type.startsWith('text/') || TEXT_TYPES.has(type)) return 'text'
  return type === 'application/octet-stream' && TEXT_ENDINGS.has(endingOf(name)) ? 'text' : 'none'
}

/** Whether a smaller copy is shown in place of the picture: it is too large, or of a kind that browsers do not draw. */
export const usesThumbnail = ({ type, width, height }: PreviewedFile): boolean =>
  width !== null && height !== null && (width * height > MAX_SHOWN_PIXELS || !isPictureType(type))

/** Types a browser may show by itself; everything else is only ever downloaded. */
const SHOWN_INLINE: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'audio/mpeg',
  'audio/mp4',
  'audio/ogg',
  'audio/wav',
  'audio/webm',
  'audio/flac',
  'audio/aac',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'application/pdf',
  'text/plain',
])

/** Whether a browser may show files of this type; a drawing or a page could run scripts, so they are not among them. */
export const isShownInline = (type: string): boolean => SHOWN_INLINE.has(type)

/**
 * Types a browser could run or apply if a page of ours referred to the file as a script, style, frame or worker, since
 * the page trusts its own server. Such files are served as plain text.
 */
const ACTIVE_TEXT =
  /^(?:text\/(?:html|javascript|ecmascript|css|xml|xsl|vtt|cache-manifest)|application\/(?:javascript|ecmascript|x-javascript|xhtml\+xml|xml|wasm|manifest\+json|[\w.-]+\+xml)|multipart\/.*)$/

/**
 * As what a file is sent. A drawing keeps its type: shown as a picture it cannot run anything, and it is never shown as
 * anything else.
 */
export function servedType(type: string): string {
  const served = ACTIVE_TEXT.test(type) ? 'text/plain' : type
  return served.startsWith('text/') ? `${served}; charset=utf-8` : served
}
