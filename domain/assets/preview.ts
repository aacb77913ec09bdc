import { endingOf } from '../uploads/file-types.ts'
import { isPictureType } from './picture-limits.ts'

export type Preview = 'picture' | 'pdf' | 'audio' | 'video' | 'text' | 'none'

/** Image types shown without a thumbnail; scripts in an SVG don't run inside an `img` element. */
const BROWSER_IMAGES: ReadonlySet<string> = new Set(['image/svg+xml', 'image/bmp'])

/** Text content types that don't start with `text/`. */
const TEXT_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/geo+json',
  'application/yaml',
  'application/xml',
  'application/sql',
  'application/toml',
])

/** Extensions of text files, needed because legacy encodings can't be detected from the content. */
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

/** Larger images are shown as their largest thumbnail; 40 million pixels take 160 MB. */
const MAX_SHOWN_PIXELS = 40_000_000

type PreviewedFile = {
  readonly name: string
  readonly type: string
  /** Size in pixels; null for files without thumbnails. */
  readonly width: number | null
  readonly height: number | null
}

/** If an image of a resizable type has no dimensions, it is too large or damaged. */
export function previewOf({ type, name, width }: PreviewedFile): Preview {
  if (width !== null || BROWSER_IMAGES.has(type)) return 'picture'
  if (isPictureType(type)) return 'none'
  if (type === 'application/pdf') return 'pdf'
  if (type.startsWith('audio/')) return 'audio'
  if (type.startsWith('video/')) return 'video'
  if (type.startsWith('text/') || TEXT_TYPES.has(type)) return 'text'
  return type === 'application/octet-stream' && TEXT_ENDINGS.has(endingOf(name)) ? 'text' : 'none'
}

/** Whether a thumbnail replaces the image because it is too large or not supported by browsers. */
export const usesThumbnail = ({ type, width, height }: PreviewedFile): boolean =>
  width !== null && height !== null && (width * height > MAX_SHOWN_PIXELS || !isPictureType(type))

/** Types that browsers can show inline; all others are downloaded. */
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

/** SVG and HTML are excluded because they can run scripts. */
export const isShownInline = (type: string): boolean => SHOWN_INLINE.has(type)

/** Types that a same-origin page could run as scripts or apply as styles; they are served as plain text. */
const ACTIVE_TEXT =
  /^(?:text\/(?:html|javascript|ecmascript|css|xml|xsl|vtt|cache-manifest)|application\/(?:javascript|ecmascript|x-javascript|xhtml\+xml|xml|wasm|manifest\+json|[\w.-]+\+xml)|multipart\/.*)$/

/** Content type of a file response. SVG keeps its type, because scripts don't run when it is used as an image. */
export function servedType(type: string): string {
  const served = ACTIVE_TEXT.test(type) ? 'text/plain' : type
  return served.startsWith('text/') ? `${served}; charset=utf-8` : served
}
