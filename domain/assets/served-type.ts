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
