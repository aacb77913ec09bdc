import { createContext, useContext } from 'react'
import './embed-context.css'
import { IconDownload, IconFile, IconPhoto } from '#web/ui/icons/general.ts'
import { UI_TEXTS } from '#web/ui/ui-texts.ts'

/** Attributes of a node or mark of a rich-text document: plain values only. */
export type DocumentAttrs = { readonly [name: string]: string | number | boolean }

/** A mark on a run of text. */
export type DocumentMark = {
  readonly type: 'bold' | 'italic' | 'underline' | 'strike' | 'code' | 'link'
  readonly attrs?: DocumentAttrs
}

/** A node of a rich-text document, in the JSON form ProseMirror writes. */
export type DocumentNode = {
  readonly type:
    | 'doc'
    | 'paragraph'
    | 'heading'
    | 'bulletList'
    | 'orderedList'
    | 'taskList'
    | 'listItem'
    | 'taskItem'
    | 'blockquote'
    | 'codeBlock'
    | 'horizontalRule'
    | 'table'
    | 'tableRow'
    | 'tableHeader'
    | 'tableCell'
    | 'image'
    | 'file'
    | 'text'
    | 'hardBreak'
    | 'mention'
  readonly attrs?: DocumentAttrs
  readonly content?: readonly DocumentNode[]
  readonly marks?: readonly DocumentMark[]
  readonly text?: string
}

/** A whole rich-text document as the editor gives it and the view takes it. */
export type RichTextDocument = DocumentNode & { readonly type: 'doc' }

/** A file that stands in a document, as it is drawn. */
export type EmbeddedFile = {
  readonly name: string
  /** Its size, in words. */
  readonly size: string
  /** Where a picture of it is that a browser shows; undefined where there is none. */
  readonly src: string | undefined
  readonly width: number | null
  readonly height: number | null
  readonly downloadHref: string
}

/** Whom or what a document mentions, by id. */
export type MentionIds = {
  readonly kind: 'user' | 'record'
  readonly id: string
  /** The id of the record's collection. */
  readonly collection?: string
}

/** What the ids inside a document mean to whoever reads it. What is gone and what is out of sight mean nothing. */
export type DocumentEmbeds = {
  readonly fileOf: (file: string) => EmbeddedFile | undefined
  readonly nameOf: (mention: MentionIds) => string | undefined
  readonly hrefOf: (mention: MentionIds) => string | undefined
  /** Opens a file to be looked at. */
  readonly lookAt: (file: string) => void
}

const NOTHING = (): undefined => undefined

/** For everything that is drawn of one document. */
export const EmbedContext = createContext<DocumentEmbeds>({
  fileOf: NOTHING,
  nameOf: NOTHING,
  hrefOf: NOTHING,
  lookAt: NOTHING,
})

/** How wide a picture may be drawn, in hundredths of its line (contract). */
export const PICTURE_WIDTHS = [25, 50, 75, 100] as const

/** A picture as wide as its line. */
export const WHOLE_WIDTH = 100

const UPLOADING_PREFIX = 'upload:'

/** What stands in the place of a file's id while the file is on its way; never part of what is kept. */
export const uploadingId = (mark: string): string => `${UPLOADING_PREFIX}${mark}`

/** The mark of a file on its way; undefined for a file that has arrived. */
export const uploadIdOf = (file: unknown): string | undefined =>
  typeof file === 'string' && file.startsWith(UPLOADING_PREFIX) ? file.slice(UPLOADING_PREFIX.length) : undefined

/** Whether a file is still on its way. */
export const isUploadingId = (file: unknown): boolean => uploadIdOf(file) !== undefined

const TEXTS = UI_TEXTS.inside

type PictureProps = {
  readonly file: string
  readonly alt: string
  readonly width: number
  /** While it is edited, pressing it chooses it instead of opening it. */
  readonly isEdited?: boolean
}

/** A picture among words, as wide as was chosen; pressed, it opens. */
export function EmbeddedImage({ file, alt, width, isEdited = false }: PictureProps) {
  const { fileOf, lookAt } = useContext(EmbedContext)
  const known = fileOf(file)
  if (!known) return <Gone words={TEXTS.pictureGone} />
  if (known.src === undefined) return <EmbeddedFileCard file={file} />
  const measures = known.width !== null && known.height !== null ? { width: known.width, height: known.height } : {}
  const picture = <img src={known.src} alt={alt} {...measures} loading="lazy" decoding="async" draggable={false} />
  return (
    <div className="inside-picture" data-width={width}>
      {isEdited ? (
        picture
      ) : (
        <button type="button" onClick={() => lookAt(file)} aria-label={TEXTS.lookAt(alt === '' ? known.name : alt)}>
          {picture}
        </button>
      )}
    </div>
  )
}

/** A file among words: its name, its size, and the way to have it. */
export function EmbeddedFileCard({ file }: { readonly file: string }) {
  const { fileOf, lookAt } = useContext(EmbedContext)
  const known = fileOf(file)
  if (!known) return <Gone words={TEXTS.fileGone} />
  const { name, size, downloadHref } = known
  return (
    <div className="inside-file">
      <button type="button" className="inside-file-open" onClick={() => lookAt(file)}>
        <IconFile size={20} stroke={1.5} aria-hidden />
        <span className="inside-file-name">
          <span className="visually-hidden">{TEXTS.lookAt('')} </span>
          {name}
        </span>
        <span className="inside-file-size">{size}</span>
      </button>
      <a
        className="inside-file-download"
        href={downloadHref}
        download={name}
        aria-label={TEXTS.download(name)}
        title={TEXTS.download('')}
      >
        <IconDownload size={16} stroke={1.5} aria-hidden />
      </a>
    </div>
  )
}

function Gone({ words }: { readonly words: string }) {
  return (
    <div className="inside-gone">
      <IconPhoto size={18} stroke={1.5} aria-hidden />
      {words}
    </div>
  )
}

/** Somebody or something that is spoken of, by the name of this moment; whom one may not see has none. */
export function EmbeddedMention({ mention, isEdited = false }: { mention: MentionIds; isEdited?: boolean }) {
  const { nameOf, hrefOf } = useContext(EmbedContext)
  const name = nameOf(mention)
  const words = `@${name ?? (mention.kind === 'user' ? TEXTS.somebody : TEXTS.something)}`
  const href = hrefOf(mention)
  const look = {
    className: 'inside-mention',
    'data-kind': mention.kind,
    'data-unnamed': name === undefined || undefined,
  }
  if (href === undefined || isEdited) return <span {...look}>{words}</span>
  return (
    <a {...look} href={href}>
      {words}
    </a>
  )
}

/** Reads the ids of a mention from what is stored. */
export function mentionIn(attrs: DocumentAttrs | undefined): MentionIds | undefined {
  const { kind, id, collection } = attrs ?? {}
  if (typeof id !== 'string') return undefined
  if (kind === 'user') return { kind, id }
  return kind === 'record' && typeof collection === 'string' ? { kind, id, collection } : undefined
}

/** Reads what is stored of a picture or a file. */
export function pictureIn(attrs: DocumentAttrs | undefined): Omit<PictureProps, 'isEdited'> {
  const { file, alt, width } = attrs ?? {}
  return {
    file: typeof file === 'string' ? file : '',
    alt: typeof alt === 'string' ? alt : '',
    width: typeof width === 'number' ? width : WHOLE_WIDTH,
  }
}
